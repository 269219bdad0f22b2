export { type ClockControl, startClockControl } from './clock-control.js';
export { OptionError, StoreUnavailable } from './errors.js';
export { type Clock, type ManualClock, manualClock, systemClock } from './parts/index.js';
export { type HydraAuthOptions, plugin, plugin as hydraAuth, strategy } from './plugin/index.js';
export { slowHash as hashParaphrase, type UserLookup } from './stores/index.js';
export type { User } from './users.js';
