export { firstIssueOf } from './issued.js';
export { guardedPaths, knownPaths } from './paths.js';
export { isMessageOf, type Role } from './role.js';
export type { Facts, Subject } from './subject.js';
export { type Nonce, type Sending, type Token, Trial, Untested, Violation } from './trial.js';
export { type Gift, giftOf, inWords, isGranted, isLimited, nonceOf, tokenOf } from './verdicts.js';
