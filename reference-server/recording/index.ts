export type { Condition, Presented, RecordedExchange } from './exchange.js';
export { type KnownToken, Ledger } from './ledger.js';
export { recordAnswers } from './record-answers.js';
export type { SwitchedOn } from './recorder.js';
export { type ExchangeFilter, filterChecks, isAtPath, methodCheck, pathCheck, Recording, type SeenNonce } from './recording.js';
