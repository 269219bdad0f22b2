import type { Command } from '../command.js';

export const selfTest: Command = {
  name: 'self-test',
  summary: 'Judge the judge: every fault and every variant against the suite.',
  text: 'Each fault must fail exactly the requirements it names, each variant none. Printed as a matrix.',
  positionals: [],
  options: [{ name: 'json', value: 'F', text: 'Write the matrix as JSON.' }],
  examples: [{ line: 'hydrauth self-test --json matrix.json', text: 'Print the matrix and keep it.' }],
  exitCodes: [
    { code: 0, text: 'Every fault is caught and no variant is flagged.' },
    { code: 1, text: 'A fault is missed or fails something else, or a variant is flagged.' },
    { code: 2, text: 'The call is wrong.' },
    { code: 3, text: 'It could not be carried out.' },
    { code: 130, text: 'Interrupted.' },
  ],
};
