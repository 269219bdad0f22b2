export { startBridge } from './bridge.js';
export { ClockError, ForeignMove, type TargetClock } from './clock.js';
export { isWaitedFor, noClock, openClock } from './open.js';
export { SharedClock } from './together.js';
