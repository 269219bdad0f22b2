import { startReferenceServer } from 'hydrauth/reference-server';
import { describeConformance } from 'hydrauth/vitest';
import { afterAll, beforeAll } from 'vitest';

const users = [
  { id: 1, paraphrase: 'secret-of-one' },
  { id: 2, paraphrase: 'geheim: für zwei' },
];

let server;
beforeAll(async () => {
  server = await startReferenceServer({ clock: 'manual', users, collections: ['people'] });
});
afterAll(() => server.close());

describeConformance({
  name: 'a good server',
  collections: ['people'],
  users,
  engine: 'laws',
  seed: 1,
  runs: 3,
  strict: true,
  skip: ['exchange.wrong'],
  target: () => ({ baseUrl: server.url, clock: server.clockUrl }),
});
