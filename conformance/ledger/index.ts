export { type About, withoutHead } from './clauses.js';
export type { Contradiction } from './contradiction.js';
export { grantOf, inWords, isGranted, isLimited } from './grants.js';
export { Ledger } from './ledger.js';
export { type Span, TargetTime } from './target-time.js';
