import { resolve } from 'node:path';
import { reportFormats } from '../../option-table.js';
import { CallError, command } from '../command.js';
import { tryToWrite, writeReports } from '../files.js';
import { inTerminal } from '../judge.js';

export const report = command({
  name: 'report',
  summary: 'Turn a report in JSON into the other formats.',
  text: 'Without a format it is printed as a run prints it.',
  positionals: [{ name: 'report.json', text: 'A report written by check --json.', like: /\.json$/i }],
  examples: [['hydrauth report report.json --html report.html --markdown report.md', 'A page and a comment from one run.']],
  exitCodes: {
    0: 'Written, whatever the verdict in it.',
    2: 'The call is wrong, the file is no report, or a format cannot be written.',
  },
  async run(args, io) {
    const [file = ''] = args.positionals;
    const { readReport } = await import('../../report/index.js');
    tryToWrite(args, io, reportFormats);
    const read = readReport(resolve(io.cwd, file));
    if (!reportFormats.some((name) => args.given(name))) io.out(await inTerminal(read, args, io, file));
    if (!(await writeReports(read, args, io, file))) throw new CallError('not everything could be written');
    return 0;
  },
});
