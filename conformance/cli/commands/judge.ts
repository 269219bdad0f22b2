import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { reportFormats } from '../../option-table.js';
import { command, verdictCodes } from '../command.js';
import { givenSpec } from '../given.js';
import { judge } from '../judge.js';

export const judgeFiles = command({
  name: 'judge',
  summary: 'Judge recorded traffic: HAR files of any tool, or of --record.',
  text: [
    'Holds every exchange in the files against the protocol: what the service answered, and what its clients sent. No request is sent.',
    'What the traffic does not show is untested. A recording of hydrauth check is judged as the run was.',
  ].join(' '),
  positionals: [{ name: 'file.har', many: true, text: 'HAR 1.2 files, such as browsers, Playwright and mitmproxy save.', like: /\.har$/i }],
  examples: [
    ['hydrauth judge traffic.har', 'Find the service in the traffic, and judge it and its clients.'],
    ['hydrauth judge monday.har tuesday.har --base-url https://api.example/v1 --html report.html', 'Several files, and a page.'],
  ],
  exitCodes: { ...verdictCodes, 3: 'No verdict: the service is not in the files, or they leave more than a third of the MUSTs untested.' },
  async run(args, io) {
    // Large files leave much behind, of which V8 would let several times pile up of what is in use.
    setFlagsFromString('--heap-growing-percent=20');
    const spec = await givenSpec(args, io);
    const files = args.positionals.map((file) => resolve(io.cwd, file));
    const run = async () => (await import('../../recorded/index.js')).judgeRecordings({ ...args.options(), spec, files });
    return judge(run, args, io, [...reportFormats, 'write-baseline']);
  },
});
