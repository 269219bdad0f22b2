import type { Command } from '../command.js';

export const requirements: Command = {
  name: 'requirements',
  summary: 'Show the catalogue: what the protocol requires and what it leaves open.',
  positionals: [],
  options: [
    { name: 'level', value: 'L', many: true, allowed: ['MUST', 'SHOULD', 'OPEN'], text: 'Only rows of these levels.' },
    {
      name: 'step',
      value: 'S',
      many: true,
      allowed: ['headers', 'challenge', 'exchange', 'token', 'expiry', 'protection', 'jsonld', 'errors', 'off', 'config'],
      text: 'Only rows of these steps.',
    },
    { name: 'id', value: 'ID', many: true, text: 'Only these rows.' },
    { name: 'json', text: 'As JSON, with hints, answers and what checks each row.' },
  ],
  examples: [
    { line: 'hydrauth requirements --level MUST --step token expiry', text: 'What a server must do with tokens.' },
    { line: 'hydrauth requirements --level OPEN', text: 'What the protocol leaves open.' },
  ],
  exitCodes: [
    { code: 0, text: 'Shown.' },
    { code: 2, text: 'The call is wrong.' },
  ],
};
