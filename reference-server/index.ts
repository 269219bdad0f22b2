import type { ReferenceServerOptions } from './options.js';

export { OptionError, StoreUnavailable } from './errors.js';
export { defaultLimits, type Limits } from './limits.js';
export type { ReferenceServerOptions } from './options.js';
export * from './parts/index.js';
export type { RecordedExchange } from './recorder.js';
export { createReferenceServer } from './server.js';
export { type RunningServer, startReferenceServer } from './start.js';
export type { Store } from './stores/index.js';
export { defaultCollections, defaultUsers, type User } from './users.js';

/** A fault or a variant of the server: a change to the options it is started with. */
export interface ServerFixture {
  readonly id: string;
  readonly sentence: string;
  options(base: ReferenceServerOptions): ReferenceServerOptions;
}
