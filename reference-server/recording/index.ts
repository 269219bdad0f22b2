export { type Brought, type BroughtBy, bringing, broughtStates, type KnownToken, Ledger } from './ledger.js';
export { type Change, filterChecks, isAtPath, methodCheck, pathCheck, Recording } from './recording.js';
