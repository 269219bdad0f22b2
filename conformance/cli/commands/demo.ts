import type { ConformanceOptions } from '../../run/index.js';
import { command, verdictCodes } from '../command.js';
import { forPeople } from '../files.js';
import { givenSpec, withFixtures } from '../given.js';
import { judge, serviceRun, warmNewman } from '../judge.js';

export const demo = command({
  name: 'demo',
  summary: 'Start a reference server with a manual clock and judge it.',
  text: 'The whole kit in one command.',
  examples: [
    ['hydrauth demo', 'See a conformant server pass, expiry included.'],
    ['hydrauth demo --fault sliding link-missing-on-exchange', 'See what is told of a server with two faults.'],
  ],
  exitCodes: { ...verdictCodes, 1: 'A MUST is violated, as with most faults.' },
  async run(args, io) {
    const spec = await givenSpec(args, io);
    await warmNewman();
    const { defaultCollections, defaultUsers, startReferenceServer } = await import('../../../reference-server/index.js');
    const base = { clock: 'manual', users: defaultUsers, collections: defaultCollections, spec } as const;
    const { options, differs } = await withFixtures(args, base);
    await using server = await startReferenceServer(options);
    forPeople(args, io).out(`A reference server listens at ${server.url}, with a clock at ${server.clockUrl}.\n${differs}\n`);
    const { users = defaultUsers, auth = 'on' } = options;
    const { record } = args.options<ConformanceOptions>();
    const target = { spec, baseUrl: server.url, collections: server.collections, users, auth, clock: server.clockUrl ?? 'none' };
    // Awaited here: the server is closed when this function returns.
    return await judge(serviceRun({ ...target, ...(record && { record }) }), args, io);
  },
});
