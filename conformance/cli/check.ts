import { durationWords, spec } from '../../spec/index.js';
import { CallError, type Run } from './command.js';
import { check } from './commands/check.js';
import { withConfig } from './config.js';
import { judge } from './judge.js';
import { givenUsers } from './users.js';

export const run: Run = async (given, io) => {
  const args = withConfig(given, check, io.cwd);
  if (args.baseUrl === undefined) throw new CallError('the base URL of the service is missing, such as http://localhost:8080/api');
  const clock = args.text('clock') ?? 'none';
  if (clock === 'wait')
    io.err(
      `With --clock wait the run takes as long as a token lives, ${durationWords(spec.protocol.token.lifetimeMs)} and a little more.\n`,
    );
  const optional = {
    runs: args.number('runs'),
    seed: args.number('seed'),
    timeoutMs: args.number('timeout'),
    concurrency: args.number('concurrency'),
    ca: args.text('ca'),
    baseline: args.text('baseline'),
  };
  return judge(
    {
      baseUrl: args.baseUrl,
      collections: args.texts('collection'),
      users: givenUsers(args.texts('user'), args.text('users-file'), io),
      auth: args.text('auth') === 'off' ? 'off' : 'on',
      engine: (args.text('engine') ?? 'all') as 'all' | 'laws' | 'postman',
      clock,
      only: args.texts('only'),
      skip: args.texts('skip'),
      insecure: args.flag('insecure'),
      strict: args.flag('strict'),
      ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    },
    args,
    io,
  );
};
