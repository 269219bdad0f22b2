export type { Condition, Presented, RecordedExchange } from './exchange.js';
export { type ExchangeFilter, filterChecks, isAtPath, methodCheck, pathCheck } from './filter.js';
export type { KnownToken, Ledger } from './ledger.js';
export type { SeenNonce } from './nonces.js';
export { recordAnswers } from './record-answers.js';
export type { SwitchedOn } from './recorder.js';
export { Recording } from './recording.js';
export { type Teaching, witnessing } from './witness.js';
