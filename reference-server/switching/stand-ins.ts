import type { Server } from 'node:http';
import { type ReferenceServerOptions, readOptions } from '../options.js';
import type { KnownToken } from '../recording/index.js';
import { type Assembly, assemble, type Common } from '../server.js';
import { applyFixtures, type ServerFixture } from './fixture.js';

interface StandIn extends Assembly {
  readonly ids: readonly string[];
  /** The number of the last token that it was shown. */
  taught: number;
}

/** So many are kept; the one that was made first goes when there are more. */
const keptStandIns = 32;

/**
 * Servers that never listen, one for every set of faults and variants that a request was to be answered with. All of them work on the
 * store and the clock of the one that listens.
 */
export class StandIns {
  readonly #made = new Map<string, StandIn>();

  constructor(
    readonly options: ReferenceServerOptions,
    readonly common: Common,
    readonly origin: string,
  ) {}

  of(variants: readonly ServerFixture[], faults: readonly ServerFixture[]): Server {
    const key = keyOf(variants, faults);
    const standIn = this.#made.get(key) ?? this.#make(key, variants, faults);
    for (const token of this.common.recording?.ledger.tokens(standIn.taught) ?? []) {
      standIn.teach(token);
      standIn.taught = token.number;
    }
    return standIn.server.listener as Server;
  }

  /** Shows all of them a token that is another one now. */
  teach(token: KnownToken): void {
    for (const standIn of this.#made.values()) standIn.teach(token);
  }

  /** Forgets what was made with this one, or everything. */
  forget(id?: string): void {
    for (const [key, { ids }] of this.#made) if (id === undefined || ids.includes(id)) this.#made.delete(key);
  }

  #make(key: string, variants: readonly ServerFixture[], faults: readonly ServerFixture[]): StandIn {
    const on = { faults: faults.map(({ id }) => id), variants: variants.map(({ id }) => id) };
    const assembly = assemble(readOptions(applyFixtures([...variants, ...faults], this.options)), this.common, on);
    assembly.bases.listensAt(this.origin);
    const made: StandIn = { ...assembly, ids: [...on.faults, ...on.variants], taught: 0 };
    this.#made.set(key, made);
    if (this.#made.size > keptStandIns) this.#made.delete(this.#made.keys().next().value as string);
    return made;
  }
}

export function keyOf(variants: readonly ServerFixture[], faults: readonly ServerFixture[]): string {
  return [...variants.map(({ id }) => `variant ${id}`), ...faults.map(({ id }) => `fault ${id}`)].join(' ');
}
