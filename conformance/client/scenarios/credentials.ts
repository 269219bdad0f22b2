import { understands } from './opinions.js';
import type { Scenario } from './scenario.js';

/** Signs that a shell, an address or a careless encoder reads in its own way, and more than one line of base64. */
const odd = `it's "100%" of $HOME \\n & ${'~'.repeat(9)} ${'?'.repeat(9)} #${'+/='.repeat(12)}`;

/** Paraphrases that are easily sent wrong. */
export const credentialScenarios: readonly Scenario[] = [
  {
    id: 'odd-paraphrase',
    given: 'The paraphrase has quotes, blanks and signs, and is longer than a line of base64.',
    service: { paraphrase: odd },
    steps: [{ at: 'first' }],
    judges: { 'client.credentials': understands },
  },
  {
    id: 'paraphrase-with-colons',
    given: 'The paraphrase has colons.',
    service: { paraphrase: 'one:two::three:' },
    steps: [{ at: 'first' }],
    credentialsRow: 'client.credentials-with-colons',
    judges: { 'client.credentials-with-colons': understands },
  },
  {
    id: 'paraphrase-in-other-scripts',
    given: 'The paraphrase has letters beyond ASCII and beyond ISO 8859-1.',
    service: { paraphrase: 'GrüßeПривет東京' },
    steps: [{ at: 'first' }],
    credentialsRow: 'client.utf8',
    judges: { 'client.utf8': understands },
  },
];
