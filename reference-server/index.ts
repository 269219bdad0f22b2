export type {
  Condition,
  ExchangeFilter,
  MetTrouble,
  PresentedStates,
  RecordedExchange,
  ServerState,
  SwitchState,
  Trouble,
  TroubleState,
  Use,
} from './contract.js';
export { OptionError, StoreUnavailable } from './errors.js';
export { defaultLimits, type Limits, limitConnections } from './listener.js';
export type { ReferenceServerOptions, StartOptions } from './options.js';
export * from './parts/index.js';

export { createReferenceServer } from './server.js';
export { type RunningServer, startReferenceServer } from './start.js';
export type { Store } from './stores/index.js';
export { applyFixtures, type ServerFixture, type ServerFixtures } from './switching/index.js';
export { defaultCollections, defaultUsers, type User } from './users.js';
