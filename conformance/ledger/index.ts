export type { About, Addresses, Claim } from './clauses.js';
export { type Grant, grantOf, inWords, isGranted, isLimited } from './grants.js';
export { type Contradiction, Ledger, type Rate } from './ledger.js';
export { type Span, TargetTime } from './target-time.js';
