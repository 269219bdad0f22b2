export { Pieces } from './body.js';
export { type Client, type ClientOptions, createClient, userAgent } from './client.js';
export {
  type Answer,
  type Chain,
  type ClockMove,
  type ConnectionUse,
  type Exchange,
  type HeaderLine,
  headerValues,
  isClockMove,
  isHungUp,
  isPipelined,
  type RequestPlan,
  type WireProblem,
  type WireProblemCode,
} from './exchange.js';
export { unicodeEscape } from './fault.js';
export { formWords } from './form-words.js';
export { frame } from './framing.js';
export { changeMarked, fromTarget } from './from-target.js';
export { type Listener, listenAt } from './listen.js';
export { lineOctets } from './request.js';
export { statusWords } from './status-words.js';
export type { Time } from './time.js';
export { lateAfterMs } from './width.js';
