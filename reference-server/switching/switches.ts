import { nearWords } from '../../spec/index.js';
import type { SwitchState, Use } from '../contract.js';
import { AtStartOnly, NotThere } from '../errors.js';
import type { ReferenceServerOptions } from '../options.js';
import { type CheckUse, useChecks } from './use.js';

/** A fault or a variant of the server: a change to the options it is started with. */
export interface ServerFixture {
  readonly id: string;
  readonly sentence: string;
  /** The requirements that a fault violates. */
  readonly violates?: readonly string[];
  /** The requirements that a variant is warned for. */
  readonly warns?: readonly string[];
  options(base: ReferenceServerOptions): ReferenceServerOptions;
}

export type ServerFixtures = Readonly<Record<'faults' | 'variants', readonly ServerFixture[]>>;

/** The options of a server with these faults and variants. Each change is applied to the parts that the one before has made. */
export function applyFixtures(fixtures: readonly ServerFixture[], base: ReferenceServerOptions): ReferenceServerOptions {
  return fixtures.reduce((options, fixture) => fixture.options(options), base);
}

/** What may differ from request to request. The base URL, the users, the collections and the limits of connections may not. */
const changeable: ReadonlySet<string> = new Set<keyof ReferenceServerOptions>([
  'parts',
  'auth',
  'tokens',
  'nonceLifetimeMs',
  'nonceSingleUse',
  'refusalSpendsNonce',
]);

function isAtStartOnly(fixture: ServerFixture): boolean {
  return Object.keys(fixture.options({})).some((option) => !changeable.has(option));
}

export function findFixture(kind: string, id: string, all: readonly ServerFixture[]): ServerFixture {
  const found = all.find((each) => each.id === id);
  if (found !== undefined) return found;
  const ids = all.map((each) => each.id);
  const near = nearWords(String(id), ids);
  throw new NotThere(`${kind}s`, `there is no ${kind} ${JSON.stringify(id)}.${near} hydrauth ${kind}s lists all ${all.length}.`);
}

/** What a test may do with the faults of a server, or with its variants. */
export type FixtureSwitches = Pick<Switches, 'list' | 'on' | 'use' | 'off'>;

export class Switches {
  readonly #on = new Map<string, { readonly fixture: ServerFixture; readonly use: Use; left: number }>();

  constructor(
    private readonly kind: 'fault' | 'variant',
    private readonly all: readonly ServerFixture[],
    private readonly fromStart: readonly string[],
    private readonly changed: (id?: string) => void,
    private readonly check: CheckUse,
  ) {
    this.reset();
  }

  list(): readonly SwitchState[] {
    return this.all.map((fixture) => this.#state(fixture));
  }

  /** Those that are on, in the order in which they were switched on. */
  get on(): readonly SwitchState[] {
    return [...this.#on.values()].map(({ fixture }) => this.#state(fixture));
  }

  /** Switches one on, for all requests or for those that are meant. What it remembers, it remembers from now on. */
  use(id: string, use: Use = {}): SwitchState {
    this.check(use, useChecks);
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
    const taken = [...this.#on.values()].filter(({ use }) => isMeant(use));
    for (const entry of taken) {
      entry.left -= 1;
      if (entry.left === 0) this.#on.delete(entry.fixture.id);
      if (entry.left < Number.POSITIVE_INFINITY) this.changed();
    }
    return taken.map(({ fixture }) => fixture);
  }

  reset(): void {
    const { kind, all } = this;
    this.#on.clear();
    for (const id of this.fromStart) this.#on.set(id, { fixture: findFixture(kind, id, all), use: {}, left: Number.POSITIVE_INFINITY });
    this.changed();
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
    const fixture = findFixture(this.kind, id, this.all);
    if (!isAtStartOnly(fixture)) return fixture;
    throw new AtStartOnly(
      `${this.kind}s`,
      `${id} can only be chosen when the server is started, with --${this.kind} ${id}: it changes its address, users, collections or limits`,
    );
  }
}
