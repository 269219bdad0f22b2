export { everyAnswer, mapHeader, renameHeader, withBody, withHeader, withoutHeader } from './changes.js';
export { type Advance, type Clock, isManual, type ManualClock, manualClock, systemClock } from './clock.js';
export { defaultParts, type PartsContext } from './default-parts.js';
export { collectionPath } from './documents.js';
export { type NoncePolicy, nonceOpener } from './nonces.js';
export type {
  Answer,
  Answers,
  Base,
  Credentials,
  Documents,
  Found,
  Guard,
  HeaderLine,
  Incoming,
  MaybePromise,
  Nonces,
  Parts,
  Presented,
  Resources,
  TokenRecord,
  Tokens,
  Wire,
} from './parts.js';
export { octetsOf } from './wire.js';
