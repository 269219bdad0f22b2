import { resolve } from 'node:path';
import { CallError, type Command } from '../command.js';
import { reportOptions, verboseOption } from '../shared-options.js';

export const report: Command = {
  name: 'report',
  summary: 'Turn a report in JSON into the other formats.',
  text: 'Without a format it is printed as a run prints it.',
  positionals: [{ name: 'report.json', text: 'A report written by check --json.', like: /\.json$/i }],
  options: [verboseOption, ...reportOptions],
  examples: [{ line: 'hydrauth report report.json --html report.html --markdown report.md', text: 'A page and a comment from one run.' }],
  exitCodes: [
    { code: 0, text: 'Written, whatever the verdict in it.' },
    { code: 2, text: 'The call is wrong, the file is no report, or a format cannot be written.' },
  ],
  async run(args, io) {
    const [file = ''] = args.positionals;
    const [{ readReport, terminalReport }, { writeReports }] = await Promise.all([
      import('../../report/index.js'),
      import('../write-reports.js'),
    ]);
    const read = readReport(resolve(io.cwd, file));
    if (!reportOptions.some(({ name }) => args.given(name)))
      io.out(terminalReport(read, { colour: io.colour, width: io.width, verbose: args.flag('verbose'), whole: !io.isTTY, json: file }));
    if (!writeReports(read, args, io, file)) throw new CallError('not everything could be written');
    return 0;
  },
};
