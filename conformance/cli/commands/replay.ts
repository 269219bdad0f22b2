import type { Command } from '../command.js';

export const replay: Command = {
  name: 'replay',
  summary: 'Run the failures of a report again.',
  text: 'With the seed and path that were recorded, against the same service. A report holds no secrets: users come from --user, --users-file or HYDRAUTH_USERS.',
  positionals: [
    { name: 'report.json', text: 'A report written by check --json.', like: /\.json$/i },
    { name: 'CHECK', text: 'A check or requirement; without it, everything that failed.', optional: true },
  ],
  options: [
    { name: 'user', value: 'ID:PARAPHRASE', many: true, text: 'Authorised users of the service.' },
    { name: 'users-file', value: 'F', text: 'The same from a file, one a line.' },
    { name: 'clock', value: 'C', default: 'none', text: 'How to move the clock of the service, as for check.' },
    { name: 'timeout', value: 'MS', whole: [1, 3_600_000], text: 'How long to wait for one answer, in milliseconds.' },
    { name: 'ca', value: 'F', text: 'Trust the certificates in this PEM file.', not: ['insecure'] },
    { name: 'insecure', text: 'Do not verify the certificate of the service.' },
  ],
  examples: [{ line: 'hydrauth replay report.json exchange.token-unique', text: 'One failure again.' }],
  exitCodes: [
    { code: 0, text: 'What failed no longer fails.' },
    { code: 1, text: 'It fails again.' },
    { code: 2, text: 'The call is wrong, or there is nothing to replay.' },
    { code: 3, text: 'No verdict.' },
    { code: 130, text: 'Interrupted.' },
  ],
};
