import type { ClientConformanceOptions } from '../../client/index.js';
import { CallError, command, verdictCodes } from '../command.js';
import { givenSpec } from '../given.js';
import { clientRun, judge } from '../judge.js';

export const checkClient = command({
  name: 'check-client',
  summary: 'Judge a client.',
  text: [
    'Starts the command anew for each scenario, each time with another service, and reports each requirement.',
    'The command finds in its environment HYDRAUTH_URL (the base URL), HYDRAUTH_USER, HYDRAUTH_PARAPHRASE,',
    'HYDRAUTH_READS (addresses to read in this order, one a line) and HYDRAUTH_SCENARIO.',
    'It ends with exit code 0 when it read everything, and with another one when it could not.',
  ].join(' '),
  positionals: [
    {
      name: 'COMMAND',
      many: true,
      text: 'After --: the command that starts the client, run without a shell. {url} in it stands for the base URL.',
    },
  ],
  examples: [
    ['hydrauth check-client -- python3 my_client.py', 'Judge a script, which takes everything from its environment.'],
    ['hydrauth check-client --html report.html -- ./my-client --base {url}', 'A client that takes the base URL as an argument.'],
    ['hydrauth check-client --driver -- node driver.js', 'Concurrent requests and bodies as well.'],
  ],
  exitCodes: {
    ...verdictCodes,
    3: 'No verdict: the command cannot be started, does not end, sends nothing to the service or cannot read one address, or more than a third of the MUSTs stayed untested.',
  },
  async run(args, io) {
    const words = args.positionals;
    if (words.length === 0) throw new CallError('the command of the client is missing; give it after --, such as -- python3 my_client.py');
    const spec = await givenSpec(args, io);
    const way = args.flag('driver') ? 'driver' : 'command';
    return judge(clientRun({ ...args.options<ClientConformanceOptions>(), spec, [way]: words }), args, io);
  },
});
