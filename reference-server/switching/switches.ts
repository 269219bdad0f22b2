import { nearWords } from '../../spec/index.js';
import { AtStartOnly, NotThere } from '../errors.js';
import { isAtStartOnly, type ServerFixture } from './fixture.js';
import { checkUse, type Matchable, type Use, useChecks } from './use.js';

/** A fault or a variant, and whether it is on. */
export interface SwitchState extends Omit<Use, 'next'> {
  readonly id: string;
  readonly sentence: string;
  /** What a fault violates, or what a variant is warned for. */
  readonly requirements: readonly string[];
  readonly on: boolean;
  /** For how many requests more, where it was switched on for some. */
  readonly left?: number;
  /** It changes what cannot be changed while the server runs. */
  readonly atStartOnly: boolean;
}

/** What a test may do with the faults of a server, or with its variants. */
export type FixtureSwitches = Pick<Switches, 'list' | 'on' | 'use' | 'off'>;

interface On {
  readonly fixture: ServerFixture;
  readonly use: Use;
  left: number;
}

/** The faults of a server, or its variants. */
export class Switches {
  readonly #on = new Map<string, On>();

  constructor(
    private readonly kind: 'fault' | 'variant',
    private readonly all: readonly ServerFixture[],
    private readonly fromStart: readonly string[],
    private readonly changed: (id?: string) => void,
    private readonly matchable: Matchable,
  ) {
    this.#switchStart();
  }

  /** Every one there is. */
  list(): readonly SwitchState[] {
    return this.all.map((fixture) => this.#state(fixture));
  }

  /** Those that are on, in the order in which they were switched on. */
  get on(): readonly SwitchState[] {
    return [...this.#on.values()].map(({ fixture }) => this.#state(fixture));
  }

  /** Switches one on, for all requests or for those that are meant. What it remembers, it remembers from now on. */
  use(id: string, use: Use = {}): SwitchState {
    checkUse(use, this.matchable, useChecks);
    const fixture = this.#changeable(id);
    this.#on.delete(id);
    this.#on.set(id, { fixture, use, left: use.next ?? Number.POSITIVE_INFINITY });
    this.changed(id);
    return this.#state(fixture);
  }

  off(id: string): void {
    this.#changeable(id);
    if (this.#on.delete(id)) this.changed(id);
  }

  /** Those that are for a request, each counted down by one. */
  take(isMeant: (use: Use) => boolean): readonly ServerFixture[] {
    const taken: ServerFixture[] = [];
    for (const entry of this.#on.values()) {
      if (!isMeant(entry.use)) continue;
      taken.push(entry.fixture);
      if (entry.left === Number.POSITIVE_INFINITY) continue;
      if (--entry.left === 0) this.#on.delete(entry.fixture.id);
      this.changed();
    }
    return taken;
  }

  /** As at the start. */
  reset(): void {
    this.#on.clear();
    this.#switchStart();
    this.changed();
  }

  #switchStart(): void {
    for (const id of this.fromStart) this.#on.set(id, { fixture: this.#find(id), use: {}, left: Number.POSITIVE_INFINITY });
  }

  #state(fixture: ServerFixture): SwitchState {
    const { id, sentence, violates, warns } = fixture;
    const on = this.#on.get(id);
    const { next, ...meant } = on?.use ?? {};
    const left = next === undefined ? {} : { left: on?.left ?? 0 };
    const requirements = violates ?? warns ?? [];
    return { id, sentence, requirements, on: on !== undefined, ...left, ...meant, atStartOnly: isAtStartOnly(fixture) };
  }

  #changeable(id: string): ServerFixture {
    const fixture = this.#find(id);
    if (!isAtStartOnly(fixture)) return fixture;
    throw new AtStartOnly(
      `${this.kind}s`,
      `${id} can only be chosen when the server is started, with --${this.kind} ${id}: it changes its address, users, collections or limits`,
    );
  }

  #find(id: string): ServerFixture {
    return findFixture(this.kind, id, this.all);
  }
}

export function findFixture(kind: string, id: string, all: readonly ServerFixture[]): ServerFixture {
  const found = all.find((each) => each.id === id);
  if (found !== undefined) return found;
  const near = nearWords(
    String(id),
    all.map((each) => each.id),
  );
  throw new NotThere(`${kind}s`, `there is no ${kind} ${JSON.stringify(id)}.${near} hydrauth ${kind}s lists all ${all.length}.`);
}
