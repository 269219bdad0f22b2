import type { Run } from './command.js';
import { fixtureOptions } from './fixture.js';
import { judge } from './judge.js';

export const run: Run = async (args, io) => {
  const { defaultCollections, defaultUsers, startReferenceServer } = await import('../../reference-server/index.js');
  const options = await fixtureOptions(args.text('fault'), args.text('variant'), {
    clock: 'manual',
    users: defaultUsers,
    collections: defaultCollections,
  });
  await using server = await startReferenceServer(options);
  io.out(`A reference server listens at ${server.url}, with a clock at ${server.clockUrl}.\n\n`);
  // Awaited here: the server is closed when this function returns.
  return await judge(
    {
      baseUrl: server.url,
      collections: options.collections ?? defaultCollections,
      users: (options.users ?? defaultUsers).map((user) => ({ id: user.id, paraphrase: user.paraphrase })),
      auth: options.auth ?? 'on',
      ...(server.clockUrl === null ? {} : { clock: server.clockUrl }),
    },
    { text: () => undefined },
    io,
  );
};
