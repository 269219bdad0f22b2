export { OptionError, StoreUnavailable } from './errors.js';
export { defaultLimits, type Limits } from './limits.js';
export { limitAddresses } from './listener.js';
export type { ReferenceServerOptions, StartOptions } from './options.js';
export * from './parts/index.js';
export type { Condition, ExchangeFilter, MetTrouble, Presented as PresentedStates, RecordedExchange } from './recording/index.js';
export type { RunningServer, ServerState } from './running-server.js';
export { createReferenceServer } from './server.js';
export { startReferenceServer } from './start.js';
export type { Store } from './stores/index.js';
export {
  applyFixtures,
  type ServerFixture,
  type ServerFixtures,
  type SwitchState,
  type Trouble,
  type TroubleState,
  type Use,
} from './switching/index.js';
export { defaultCollections, defaultUsers, type User } from './users.js';
