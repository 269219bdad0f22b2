export { type Brought, type BroughtBy, bringing, broughtStates } from './brought.js';
export type { Condition, MetTrouble, Presented, RecordedExchange } from './exchange.js';
export { type KnownToken, Ledger } from './ledger.js';
export { recordAnswers, type Trouble } from './record-answers.js';
export type { SwitchedOn } from './recorder.js';
export { type ExchangeFilter, filterChecks, isAtPath, methodCheck, pathCheck, Recording, type SeenNonce } from './recording.js';
