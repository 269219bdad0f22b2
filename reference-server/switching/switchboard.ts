import type { IncomingMessage, Server } from 'node:http';
import type { KnownToken } from '../recording/index.js';
import { dispatch } from './dispatch.js';
import type { ServerFixtures } from './fixture.js';
import { keyOf, type StandIns } from './stand-ins.js';
import { findFixture, Switches } from './switches.js';
import { type Brought, isMeant, type Use } from './use.js';

interface Parts {
  readonly listener: Server;
  readonly standIns: StandIns;
  readonly fixtures: ServerFixtures;
  /** The ids that the server was started with; with these and no others it answers itself. */
  readonly started: { readonly faults: readonly string[]; readonly variants: readonly string[] };
  broughtBy(req: IncomingMessage): Brought;
  /** The whole path for one that leaves out the base path. */
  withBasePath(path: string): string | undefined;
  changed(): void;
}

/** The faults and variants of a running server. The first switch costs later requests a look at what is on; before it they cost nothing. */
export class Switchboard {
  readonly faults: Switches;
  readonly variants: Switches;
  readonly #parts: Parts;
  readonly #startKey: string;
  #isUsed = false;

  constructor(parts: Parts) {
    const { fixtures, started, withBasePath } = parts;
    const changed = (id?: string) => this.#onChange(id);
    this.#parts = parts;
    this.#startKey = keyOf(
      started.variants.map((id) => findFixture('variant', id, fixtures.variants)),
      started.faults.map((id) => findFixture('fault', id, fixtures.faults)),
    );
    this.faults = new Switches('fault', fixtures.faults, started.faults, changed, withBasePath);
    this.variants = new Switches('variant', fixtures.variants, started.variants, changed, withBasePath);
  }

  reset(): void {
    this.#parts.standIns.forget();
    this.faults.reset();
    this.variants.reset();
  }

  teach(token: KnownToken): void {
    this.#parts.standIns.teach(token);
  }

  #onChange(id: string | undefined): void {
    if (id !== undefined) {
      this.#parts.standIns.forget(id);
      if (!this.#isUsed) dispatch(this.#parts.listener, (req) => this.#choose(req));
      this.#isUsed = true;
    }
    this.#parts.changed();
  }

  #choose(req: IncomingMessage): Server {
    const { listener, standIns, broughtBy } = this.#parts;
    const isFor = (use: Use) => isMeant(use, req, broughtBy);
    const [variants, faults] = [this.variants.take(isFor), this.faults.take(isFor)];
    return keyOf(variants, faults) === this.#startKey ? listener : standIns.of(variants, faults);
  }
}
