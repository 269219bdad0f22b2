import { bodyScenarios } from './bodies.js';
import { concurrencyScenarios } from './concurrency.js';
import { credentialScenarios } from './credentials.js';
import { givingUpScenarios } from './giving-up.js';
import { originScenarios } from './origins.js';
import { plain } from './plain.js';
import type { Scenario } from './scenario.js';
import { serviceScenarios } from './services.js';
import { tokenScenarios } from './tokens.js';
import { writingScenarios } from './writing.js';

export { ending } from './opinions.js';
export { plain } from './plain.js';
export type { Ask, Opinion, Scenario, Seen } from './scenario.js';
export { alone } from './services.js';

/** Every scenario, the plain one first. */
export const scenarios: readonly Scenario[] = [
  plain,
  ...credentialScenarios,
  ...tokenScenarios,
  ...givingUpScenarios,
  ...originScenarios,
  ...writingScenarios,
  ...bodyScenarios,
  ...concurrencyScenarios,
  ...serviceScenarios,
];
