import type { Report } from '../../report/index.js';
import { CallError, type Command, onlyGiven } from '../command.js';
import { givenSpec, specOption } from '../profile.js';
import { certificateOptions, headerOption, reportOptions, verboseOption, verdictOptions } from '../shared-options.js';

export const check: Command = {
  name: 'check',
  summary: 'Judge the service at a base URL.',
  text: 'Runs every check of the catalogue against it, by its URL alone, and reports requirement by requirement.',
  positionals: [
    {
      name: 'base-url',
      optional: true,
      text: 'Where the API begins, for example http://localhost:8080/api. It may stand in the file of --config.',
      like: /^https?:\/\//i,
    },
  ],
  options: [
    { name: 'collection', value: 'NAME', many: true, text: 'Collections of the service, by their names below the base URL. At least one.' },
    {
      name: 'user',
      value: 'ID:PARAPHRASE',
      many: true,
      text: 'Authorised users of the service. With two or more, checks between users run too.',
    },
    {
      name: 'users-file',
      value: 'F',
      text: 'The same from a file, one ID:PARAPHRASE a line; so does the environment variable HYDRAUTH_USERS.',
    },
    {
      name: 'clock',
      value: 'C',
      default: 'none',
      text: 'How to move the clock of the service: the http(s) URL of a clock, faketime:FILE, exec:COMMAND, wait, or none. Without one expiry is untested.',
    },
    specOption,
    { name: 'engine', value: 'E', allowed: ['all', 'laws', 'postman'], default: 'all', text: 'Which checks to run.' },
    { name: 'auth', value: 'A', allowed: ['on', 'off'], default: 'on', text: 'Whether the service has authentication switched on.' },
    { name: 'only', value: 'ID', many: true, text: 'Run only what checks these requirements.' },
    { name: 'skip', value: 'ID', many: true, text: 'Leave these requirements out; every report lists and counts them.' },
    { name: 'runs', value: 'N', whole: [1, 1_000_000], text: 'Generated examples a property.' },
    {
      name: 'strength',
      value: 'N',
      whole: [2, 3],
      text: 'Try every pair (2, the default) or every triple (3) of what a request can bring and the circumstances around it. Triples take three times the requests.',
    },
    {
      name: 'seed',
      value: 'N',
      whole: [-2_147_483_648, 2_147_483_647],
      text: 'Seed of the generated examples; the report names the one that was used.',
    },
    { name: 'timeout', value: 'MS', whole: [1, 3_600_000], text: 'How long to wait for one answer, in milliseconds.' },
    {
      name: 'concurrency',
      value: 'N',
      whole: [1, 1000],
      text: 'How many requests may be under way at once, at the most (16). More than 16 are sent only to a target that is far away, fewer to one that leaves connections waiting.',
    },
    {
      name: 'rate',
      value: 'N',
      whole: [1, 100_000],
      text: 'The most requests a second. A service that says "too many requests" is asked less often anyway.',
    },
    {
      name: 'budget',
      value: 'N',
      text: 'The most requests in all (800), or the most time (90s, 5m). The most telling part comes first; the report says what was left out.',
    },
    ...verdictOptions,
    {
      name: 'write-baseline',
      value: 'F',
      text: 'Write an entry for every failure to this file. Reasons that stand there are kept; say why in the others.',
    },
    verboseOption,
    ...reportOptions,
    headerOption,
    ...certificateOptions,
    { name: 'config', value: 'F', text: 'Take options from a JSON file; what stands on the command line goes before it.' },
  ],
  examples: [
    {
      line: 'hydrauth check http://localhost:8080/api --collection people --user 1:secret',
      text: 'Judge a service, expiry left out.',
    },
    {
      line: 'hydrauth check http://localhost:8080/api --collection people --clock faketime:offset.txt --html report.html',
      text: 'With users from HYDRAUTH_USERS, expiry through libfaketime, and a page to read.',
    },
    {
      line: 'hydrauth check http://localhost:8080/api --collection people orders --user=-7:secret --only token.sufficient',
      text: 'A value that begins with a dash follows an equals sign.',
    },
  ],
  exitCodes: [
    { code: 0, text: 'Conformant.' },
    { code: 1, text: 'A MUST is violated, or an entry of the baseline is stale; with --strict also a SHOULD violated or a MUST untested.' },
    { code: 2, text: 'The call is wrong.' },
    {
      code: 3,
      text: 'No verdict: the service cannot be reached or the call does not fit it, no given user can log in and no violation explains it, the clock fails or stands still, or more than a third of the MUSTs stayed untested through the doing of the service.',
    },
    { code: 130, text: 'Interrupted.' },
  ],
  async run(called, io) {
    const [{ isWaitedFor }, { withConfig }, { judge }, { tryToWrite }, { givenUsers }, { writeBaseline }] = await Promise.all([
      import('../../clock/index.js'),
      import('../config.js'),
      import('../judge.js'),
      import('../try-to-write.js'),
      import('../users.js'),
      import('../write-baseline.js'),
    ]);
    const args = withConfig(called, check, io.cwd);
    const [baseUrl] = args.positionals;
    if (baseUrl === undefined) throw new CallError('the base URL of the service is missing, such as http://localhost:8080/api');
    const spec = await givenSpec(args, io);
    if (isWaitedFor(args.text('clock'))) {
      const { durationWords } = await import('../../../spec/index.js');
      const life = durationWords(spec.protocol.token.lifetimeMs);
      io.err(`With --clock wait the run takes as long as a token lives, ${life} and a little more.\n`);
    }
    const options = {
      spec,
      collections: args.texts('collection'),
      users: givenUsers(args, io),
      auth: args.text('auth') as 'on' | 'off',
      engine: args.text('engine') as 'all' | 'laws' | 'postman',
      clock: args.text('clock'),
      only: args.texts('only'),
      skip: args.texts('skip'),
      runs: args.number('runs'),
      strength: args.number('strength') as 2 | 3 | undefined,
      seed: args.number('seed'),
      timeoutMs: args.number('timeout'),
      concurrency: args.number('concurrency'),
      rate: args.number('rate'),
      budget: args.text('budget'),
      headers: args.texts('header'),
      ca: args.text('ca'),
      insecure: args.flag('insecure'),
      baseline: args.text('baseline'),
      strict: args.flag('strict'),
    };
    tryToWrite(args, io, [{ name: 'write-baseline' }]);
    const baseline = args.text('write-baseline');
    const also = (report: Report) => baseline === undefined || writeBaseline(report, baseline, io);
    return judge({ baseUrl, collections: options.collections, ...onlyGiven(options) }, args, io, also);
  },
};
