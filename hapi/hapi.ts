export { type ClockControl, startClockControl } from './clock-control.js';
export { OptionError, StoreUnavailable } from './errors.js';
export type { HydraAuthOptions } from './options.js';
export { type Clock, type ManualClock, manualClock, systemClock } from './parts/index.js';
export { plugin, plugin as hydraAuth, strategy } from './plugin.js';
export { slowHash as hashParaphrase, type UserLookup } from './stores/index.js';
export type { User } from './users.js';
