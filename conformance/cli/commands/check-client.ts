import { CallError, type Command, onlyGiven } from '../command.js';
import { givenSpec, specOption } from '../profile.js';
import { reportOptions, verboseOption, verdictOptions } from '../shared-options.js';

export const checkClient: Command = {
  name: 'check-client',
  summary: 'Judge a client.',
  text: [
    'Starts the command once a scenario, each time with another service, and reports requirement by requirement.',
    'The command finds in its environment HYDRAUTH_URL (the base URL), HYDRAUTH_USER, HYDRAUTH_PARAPHRASE,',
    'HYDRAUTH_READS (addresses to read in this order, one a line) and HYDRAUTH_SCENARIO.',
    'It ends with exit code 0 when it read everything, and with another one when it could not.',
  ].join(' '),
  positionals: [
    { name: 'COMMAND', many: true, text: 'Behind --: the words that start the client, without a shell. {url} in them is the base URL.' },
  ],
  options: [
    {
      name: 'driver',
      text: 'Start the command once and ask it in JSON lines over standard input and output; so it can also be asked for several requests at once and for a POST.',
    },
    specOption,
    { name: 'only', value: 'ID', many: true, text: 'Judge only these requirements.' },
    { name: 'skip', value: 'ID', many: true, text: 'Leave these requirements out; every report lists and counts them.' },
    { name: 'jobs', value: 'N', whole: [1, 64], text: 'How many scenarios at once. Default: as many as there are processors.' },
    {
      name: 'timeout',
      value: 'MS',
      whole: [1, 3_600_000],
      text: 'How long the client may take for one scenario, in milliseconds; then it is ended. Default: 10000.',
    },
    {
      name: 'pass-env',
      value: 'NAME',
      many: true,
      text: 'Give the client this variable of the environment, too. It has PATH, HOME and the like, and nothing else.',
    },
    ...verdictOptions,
    verboseOption,
    ...reportOptions,
  ],
  examples: [
    { line: 'hydrauth check-client -- python3 my_client.py', text: 'Judge a script, which takes everything from its environment.' },
    {
      line: 'hydrauth check-client --html report.html -- ./my-client --base {url}',
      text: 'A client that takes the base URL as an argument.',
    },
    { line: 'hydrauth check-client --driver -- node driver.js', text: 'Concurrent requests and bodies as well.' },
  ],
  exitCodes: [
    { code: 0, text: 'Conformant.' },
    { code: 1, text: 'A MUST is violated, or an entry of the baseline is stale; with --strict also a SHOULD violated or a MUST untested.' },
    { code: 2, text: 'The call is wrong.' },
    { code: 3, text: 'No verdict: the command cannot be started, does not end, sends nothing to the service, or cannot read one address.' },
    { code: 130, text: 'Interrupted.' },
  ],
  async run(args, io) {
    const { judgeClient } = await import('../judge.js');
    const words = args.positionals;
    if (words.length === 0)
      throw new CallError('the command of the client is missing; it stands behind --, such as -- python3 my_client.py');
    const options = {
      spec: await givenSpec(args, io),
      only: args.texts('only'),
      skip: args.texts('skip'),
      jobs: args.number('jobs'),
      timeoutMs: args.number('timeout'),
      passEnv: args.texts('pass-env'),
      baseline: args.text('baseline'),
      strict: args.flag('strict'),
    };
    return judgeClient({ [args.flag('driver') ? 'driver' : 'command']: words, ...onlyGiven(options) }, args, io);
  },
};
