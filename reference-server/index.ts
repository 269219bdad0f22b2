export * from '../hapi/index.js';
export { defaultLimits, type Limits } from './limits.js';
export type { ReferenceServerOptions, StartOptions } from './options.js';
export type { Condition, ExchangeFilter, Presented as PresentedStates, RecordedExchange } from './recording/index.js';
export type { RunningServer, ServerState } from './running-server.js';
export { createReferenceServer } from './server.js';
export { startReferenceServer } from './start.js';
export { applyFixtures, type ServerFixture, type ServerFixtures, type SwitchState, type Use } from './switching/index.js';
