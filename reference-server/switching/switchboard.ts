import type { IncomingMessage } from 'node:http';
import type { BroughtBy, KnownToken, SwitchedOn } from '../recording/index.js';
import type { Cast } from '../server.js';
import type { ServerFixture, ServerFixtures } from './fixture.js';
import { findFixture, Switches } from './switches.js';
import { Troubles } from './troubles.js';
import { isMeant, type Matchable, type Use } from './use.js';

interface Given {
  readonly fixtures: ServerFixtures;
  /** The ids that the server was started with, and what answers with these and no others. */
  readonly started: SwitchedOn;
  readonly first: Cast;
  make(chosen: readonly ServerFixture[], on: SwitchedOn): Cast;
  /** Those with a larger number. */
  tokens(after: number): readonly KnownToken[];
  readonly broughtBy: BroughtBy;
  readonly matchable: Matchable;
  changed(): void;
}

/** So many casts are kept; the one that was made first goes when there are more. */
const keptCasts = 32;

const keyOf = ({ variants, faults }: SwitchedOn) => JSON.stringify([variants, faults]);
const idsOf = (all: readonly ServerFixture[]) => all.map(({ id }) => id);

/** The faults, variants and troubles of a running server: chosen for every request, each set of faults and variants made once. */
export class Switchboard {
  readonly faults: Switches;
  readonly variants: Switches;
  readonly troubles: Troubles;
  readonly #given: Given;
  /** What was made, with the number of the last token that it was shown. */
  readonly #made = new Map<string, { readonly cast: Cast; taught: number }>();
  #isUsed = false;

  constructor(given: Given) {
    const { fixtures, started, matchable } = given;
    const changed = (id?: string) => this.#onChange(id);
    this.#given = given;
    this.faults = new Switches('fault', fixtures.faults, started.faults, changed, matchable);
    this.variants = new Switches('variant', fixtures.variants, started.variants, changed, matchable);
    this.troubles = new Troubles(changed, matchable);
  }

  /** What answers a request. Before the first switch that is not looked into. */
  choose(req: IncomingMessage): Cast {
    const { first, started, broughtBy } = this.#given;
    if (!this.#isUsed) return first;
    const isFor = (use: Use) => isMeant(use, req, broughtBy);
    // What a trouble answers, no fault or variant has a part in.
    if (this.troubles.answers(isFor)) return this.troubles.meet(first, isFor);
    const [variants, faults] = [this.variants.take(isFor), this.faults.take(isFor)];
    const on = { faults: idsOf(faults), variants: idsOf(variants) };
    const cast = keyOf(on) === keyOf(started) ? first : this.#castOf([...variants, ...faults], on);
    return this.troubles.meet(cast, isFor);
  }

  reset(): void {
    this.#made.clear();
    this.faults.reset();
    this.variants.reset();
  }

  /** Shows all of them a token that is another one now. */
  teach(token: KnownToken): void {
    for (const { cast } of [{ cast: this.#given.first }, ...this.#made.values()]) cast.teach(token);
  }

  #castOf(chosen: readonly ServerFixture[], on: SwitchedOn): Cast {
    const known = this.#made.get(keyOf(on));
    const made = known ?? { cast: this.#given.make(chosen, on), taught: 0 };
    if (known === undefined) this.#made.set(keyOf(on), made);
    if (this.#made.size > keptCasts) this.#made.delete(this.#made.keys().next().value as string);
    for (const token of this.#given.tokens(made.taught)) {
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
    this.#given.changed();
  }
}

/** The fixtures with these ids, in the order in which they are applied. */
export function chosenOf({ faults, variants }: SwitchedOn, fixtures: ServerFixtures): readonly ServerFixture[] {
  return [
    ...variants.map((id) => findFixture('variant', id, fixtures.variants)),
    ...faults.map((id) => findFixture('fault', id, fixtures.faults)),
  ];
}
