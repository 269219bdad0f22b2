import { writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { type Args, command } from '../command.js';
import { tryToWrite } from '../files.js';

export const compare = command({
  name: 'compare',
  summary: 'Set the reports of several services side by side.',
  positionals: [{ name: 'report.json', text: 'Reports written by check --json.', many: true }],
  examples: [['hydrauth compare a.json b.json --output matrix.html', 'Two services as one page.']],
  exitCodes: { 0: 'Written.', 2: 'The call is wrong, or a file is no report.' },
  async run(args, io) {
    const { compareReports, matrixHtml, matrixMarkdown, readReport } = await import('../../report/index.js');
    const reports = namesOf(args.positionals).map(([name, file]) => ({ name, report: readReport(resolve(io.cwd, file)) }));
    const matrix = compareReports(reports);
    const text = wantsHtml(args) ? matrixHtml(matrix) : matrixMarkdown(matrix);
    const file = args.text('output');
    tryToWrite(args, io, ['output']);
    if (file === undefined) io.out(text);
    else writeFileSync(resolve(io.cwd, file), text);
    return 0;
  },
});

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
