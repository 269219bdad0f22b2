import type { ReferenceServerOptions } from '../options.js';

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

/** The faults and variants that a server can be given. */
export interface ServerFixtures {
  readonly faults: readonly ServerFixture[];
  readonly variants: readonly ServerFixture[];
}

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

export function isAtStartOnly(fixture: ServerFixture): boolean {
  return Object.keys(fixture.options({})).some((option) => !changeable.has(option));
}
