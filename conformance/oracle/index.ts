export { addressesOf, isSpelledOtherwise, placeOf } from './addresses.js';
export type { Ending } from './endings.js';
export {
  type About,
  type Allowance,
  type Decided,
  decide,
  type Given,
  judge,
  type LoginKind,
  type TokenKind,
  type Verdict,
  withoutHead,
} from './expectation.js';
export { grantOf, holdsDocument, inWords, isGranted } from './grants.js';
export { type Contradiction, Oracle } from './oracle.js';
export { isOfProtocol } from './presented.js';
export { type Span, TargetTime } from './target-time.js';
