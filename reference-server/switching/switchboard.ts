import type { IncomingMessage } from 'node:http';
import type { SwitchedOn, Use } from '../contract.js';
import type { KnownToken } from '../recording/index.js';
import type { Cast, Common } from '../server.js';
import { findFixture, type ServerFixture, type ServerFixtures, Switches } from './switches.js';
import { Troubles } from './troubles.js';
import { type CheckUse, isMeant } from './use.js';

/** So many casts are kept; the one that was made first goes when there are more. */
const keptCasts = 32;

const keyOf = ({ variants, faults }: SwitchedOn) => JSON.stringify([variants, faults]);
const idsOf = (all: readonly ServerFixture[]) => all.map(({ id }) => id);

/** The faults, variants and troubles of a running server: chosen for every request, each set of faults and variants made once. */
export class Switchboard {
  readonly faults: Switches;
  readonly variants: Switches;
  readonly troubles: Troubles;
  /** What was made, with the number of the last token that it was shown. */
  readonly #made = new Map<string, { readonly cast: Cast; taught: number }>();
  #isUsed = false;

  /** @param first answers with the faults and variants that the server was started with, and no others */
  constructor(
    private readonly common: Common,
    private readonly first: Cast,
    private readonly make: (chosen: readonly ServerFixture[], on: SwitchedOn) => Cast,
    fixtures: ServerFixtures,
    check: CheckUse,
  ) {
    const changed = (id?: string) => this.#onChange(id);
    this.faults = new Switches('fault', fixtures.faults, first.on.faults, changed, check);
    this.variants = new Switches('variant', fixtures.variants, first.on.variants, changed, check);
    this.troubles = new Troubles(changed, check);
  }

  /** What answers a request. Before the first switch that is not looked into. */
  choose(req: IncomingMessage): Cast {
    const { first, common } = this;
    if (!this.#isUsed) return first;
    const isFor = (use: Use) => isMeant(use, req, common.broughtBy);
    const on = this.troubles.firstFor(isFor);
    // What a trouble answers, no fault or variant has a part in.
    const cast = on?.trouble.status === undefined ? this.#castFor(isFor) : first;
    return on === undefined ? cast : this.troubles.meet(on, cast);
  }

  reset(): void {
    this.#made.clear();
    this.faults.reset();
    this.variants.reset();
  }

  /** Shows all of them a token that is another one now. */
  teach(token: KnownToken): void {
    for (const { cast } of [{ cast: this.first }, ...this.#made.values()]) cast.teach(token);
  }

  #castFor(isFor: (use: Use) => boolean): Cast {
    const [variants, faults] = [this.variants.take(isFor), this.faults.take(isFor)];
    const on = { faults: idsOf(faults), variants: idsOf(variants) };
    const key = keyOf(on);
    if (key === keyOf(this.first.on)) return this.first;
    const made = this.#made.get(key) ?? { cast: this.make([...variants, ...faults], on), taught: 0 };
    this.#made.set(key, made);
    if (this.#made.size > keptCasts) this.#made.delete(this.#made.keys().next().value as string);
    for (const token of this.common.recording?.ledger.tokens(made.taught) ?? []) {
      made.cast.teach(token);
      made.taught = token.number;
    }
    return made.cast;
  }

  /** @param id of what was switched, or 'trouble'; none, when something was used up. */
  #onChange(id: string | undefined): void {
    if (id !== undefined) {
      this.#isUsed = true;
      for (const [key, { cast }] of this.#made) if ([...cast.on.faults, ...cast.on.variants].includes(id)) this.#made.delete(key);
    }
    this.common.recording?.tell('change');
  }
}

/** The fixtures with these ids, in the order in which they are applied. */
export function chosenOf({ faults, variants }: SwitchedOn, fixtures: ServerFixtures): readonly ServerFixture[] {
  return [
    ...variants.map((id) => findFixture('variant', id, fixtures.variants)),
    ...faults.map((id) => findFixture('fault', id, fixtures.faults)),
  ];
}
