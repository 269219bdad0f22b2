import type { Command } from '../command.js';

export const selfTest: Command = {
  name: 'self-test',
  summary: 'Judge the judge: every fault and every variant against the suite.',
  text: 'Each fault must fail exactly the requirements it names, each variant none. Each engine judges alone, so that the matrix shows what each of them finds.',
  positionals: [],
  options: [
    { name: 'json', value: 'F', text: 'Write the matrix as JSON.' },
    { name: 'list', text: 'Name every fault and variant with its sentence, and run nothing.' },
    { name: 'only', value: 'ID', many: true, text: 'Only these faults and variants.' },
    { name: 'engine', value: 'E', allowed: ['all', 'laws', 'postman'], default: 'all', text: 'Which engines to measure.' },
    { name: 'runs', value: 'N', whole: [1, 1_000_000], text: 'Random cases of each law.' },
    { name: 'seed', value: 'N', whole: [-(2 ** 31), 2 ** 31 - 1], default: '1', text: 'Where random cases begin.' },
    { name: 'workers', value: 'N', whole: [1, 64], text: 'How many processes to share the work; as many as there are cores by default.' },
  ],
  examples: [
    { line: 'hydrauth self-test --json matrix.json', text: 'Print the matrix and keep it.' },
    { line: 'hydrauth self-test --only sliding nonce-reusable', text: 'Try one fault and one variant.' },
  ],
  exitCodes: [
    { code: 0, text: 'Every fault is caught and no variant is flagged.' },
    { code: 1, text: 'A fault is missed or fails something else, or a variant is flagged.' },
    { code: 2, text: 'The call is wrong.' },
    { code: 3, text: 'It could not be carried out.' },
    { code: 130, text: 'Interrupted.' },
  ],
};
