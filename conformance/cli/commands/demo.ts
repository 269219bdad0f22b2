import type { Command } from '../command.js';
import { fixtureOptions, withFixtures } from '../fixture.js';
import { givenSpec, specOption } from '../profile.js';
import { reportOptions, verboseOption } from '../shared-options.js';

export const demo: Command = {
  name: 'demo',
  summary: 'Start a reference server with a manual clock and judge it.',
  text: 'The whole kit in one command.',
  positionals: [],
  options: [...fixtureOptions, specOption, verboseOption, ...reportOptions],
  examples: [
    { line: 'hydrauth demo', text: 'See a conformant server pass, expiry included.' },
    { line: 'hydrauth demo --fault sliding link-missing-on-exchange', text: 'See what is told of a server with two faults.' },
  ],
  exitCodes: [
    { code: 0, text: 'Conformant.' },
    { code: 1, text: 'A MUST is violated, as with most faults.' },
    { code: 2, text: 'The call is wrong.' },
    { code: 3, text: 'No verdict.' },
    { code: 130, text: 'Interrupted.' },
  ],
  async run(args, io) {
    const spec = await givenSpec(args, io);
    const { judge, warmNewman } = await import('../judge.js');
    await warmNewman();
    const { defaultCollections, defaultUsers, startReferenceServer } = await import('../../../reference-server/index.js');
    const base = { clock: 'manual', users: defaultUsers, collections: defaultCollections, spec } as const;
    const { options, differs } = await withFixtures(args, base);
    await using server = await startReferenceServer(options);
    io.out(`A reference server listens at ${server.url}, with a clock at ${server.clockUrl}.\n${differs}\n`);
    const { users = defaultUsers, auth = 'on' } = options;
    const target = { spec, baseUrl: server.url, collections: server.collections, users, auth, clock: server.clockUrl ?? 'none' };
    // Awaited here: the server is closed when this function returns.
    return await judge(target, args, io);
  },
};
