export { type About, type Addresses, type Claim, withoutHead } from './clauses.js';
export type { Contradiction, Rate } from './contradiction.js';
export { type Grant, grantOf, inWords, isGranted, isLimited } from './grants.js';
export { Ledger } from './ledger.js';
export { type Span, TargetTime } from './target-time.js';
