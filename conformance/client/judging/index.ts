import { loginRules } from './login-rules.js';
import type { Rule } from './rule.js';
import { tokenRules } from './token-rules.js';

export { credentialsRow, pairRule } from './login-rules.js';
export type { Rule, Violation } from './rule.js';

/** What is judged on any traffic, also of a client that nobody drives. */
export const rules: readonly Rule[] = [...loginRules, ...tokenRules];
