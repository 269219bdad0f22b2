import type { Command } from '../command.js';

export const compare: Command = {
  name: 'compare',
  summary: 'Set the reports of several services side by side.',
  positionals: [{ name: 'report.json', text: 'Reports written by check --json.', many: true }],
  options: [
    { name: 'format', value: 'F', allowed: ['markdown', 'html'], default: 'markdown', text: 'What to print.' },
    { name: 'output', value: 'F', text: 'Write to this file instead of printing; a name that ends in .html makes it HTML.' },
  ],
  examples: [{ line: 'hydrauth compare a.json b.json --output matrix.html', text: 'Two services as one page.' }],
  exitCodes: [
    { code: 0, text: 'Written.' },
    { code: 2, text: 'The call is wrong, or a file is no report.' },
  ],
};
