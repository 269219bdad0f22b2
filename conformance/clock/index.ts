export { type Bridge, startBridge } from './bridge.js';
export { ClockError, ForeignMove, type TargetClock } from './clock.js';
export { noClock } from './none.js';
export { isWaitedFor, openClock } from './open.js';
export { SharedClock } from './together.js';
