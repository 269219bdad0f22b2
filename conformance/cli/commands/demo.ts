import type { Command } from '../command.js';
import { faultOrVariant } from './shared.js';

export const demo: Command = {
  name: 'demo',
  summary: 'Start a reference server with a manual clock and judge it.',
  text: 'The whole kit in one command.',
  positionals: [],
  options: faultOrVariant,
  examples: [{ line: 'hydrauth demo', text: 'See a conformant server pass, expiry included.' }],
  exitCodes: [
    { code: 0, text: 'Conformant.' },
    { code: 1, text: 'A MUST is violated, as with most faults.' },
    { code: 2, text: 'The call is wrong.' },
    { code: 3, text: 'No verdict.' },
    { code: 130, text: 'Interrupted.' },
  ],
};
