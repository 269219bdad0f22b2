import { credentialsRule, loginRules } from './login-rules.js';
import type { Rule } from './rule.js';
import { tokenRules } from './token-rules.js';

export { credentialsRule } from './login-rules.js';
export type { Context, Rule, Violation } from './rule.js';

export const credentialsRow = 'client.credentials';

/** What is judged on any traffic, also of a client that nobody drives. */
export const rules: readonly Rule[] = [...loginRules, credentialsRule(credentialsRow), ...tokenRules];
