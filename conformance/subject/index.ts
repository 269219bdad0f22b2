export { Accounts } from './accounts.js';
export { isMessageOf } from './message.js';
export { ifUntested, Untested, Violation } from './outcome.js';
export { guardedPaths, knownPaths } from './paths.js';
export type { Role } from './role.js';
export type { Nonce, Sending, Token } from './steps.js';
export type { Looked, Subject } from './subject.js';
export { Trial } from './trial.js';
