import { basename, resolve } from 'node:path';
import { type Args, CallError, type Command } from '../command.js';
import { tryToWrite } from '../try-to-write.js';

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
  async run(args, io) {
    const { compareReports, matrixHtml, matrixMarkdown, readReport, writeWhole } = await import('../../report/index.js');
    const reports = namesOf(args.positionals).map(([name, file]) => ({ name, report: readReport(resolve(io.cwd, file)) }));
    const matrix = compareReports(reports);
    const text = wantsHtml(args) ? matrixHtml(matrix) : matrixMarkdown(matrix);
    const file = args.text('output');
    if (file === undefined) io.out(text);
    else {
      tryToWrite(args, io, [{ name: 'output' }]);
      write(() => writeWhole(resolve(io.cwd, file), text), file);
    }
    return 0;
  },
};

/** Each file with the name it gets; files of the same name get their whole paths. */
function namesOf(files: readonly string[]): (readonly [name: string, file: string])[] {
  const names = files.map((file) => basename(file).replace(/\.json$/i, ''));
  return files.map((file, index) => {
    const name = names[index] as string;
    return [names.filter((other) => other === name).length === 1 ? name : file, file];
  });
}

function wantsHtml(args: Args): boolean {
  if (args.given('format')) return args.text('format') === 'html';
  return /\.html?$/i.test(args.text('output') ?? '');
}

function write(attempt: () => void, file: string): void {
  try {
    attempt();
  } catch (error) {
    throw new CallError(`--output ${file} cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}
