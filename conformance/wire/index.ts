export { type Client, type ClientOptions, createClient, userAgent } from './client.js';
export { type CurlContext, curlScript } from './curl.js';
export {
  type Answer,
  type Chain,
  type ClockMove,
  type Exchange,
  type HeaderLine,
  headerValues,
  isClockMove,
  type RequestPlan,
  type WireProblem,
  type WireProblemCode,
} from './exchange.js';
export { light, lightChain } from './light.js';
export type { Time } from './patience.js';
export { type RecordContext, recordChain } from './record.js';
export { createRedactor, type Redactor } from './redact.js';
export { requestHeaders } from './request.js';
