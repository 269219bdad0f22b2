export { type Bridge, startBridge } from './bridge.js';
export { ClockError, type ClockOptions, type TargetClock } from './clock.js';
export { noClock } from './none.js';
export { clockSettings, openClock } from './open.js';
export { SharedClock } from './together.js';
