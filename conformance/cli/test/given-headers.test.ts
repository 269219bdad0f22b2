import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { defaultUsers, startReferenceServer } from '../../../reference-server/index.js';
import { listening } from '../../../spec/test/listening.js';
import { runConformance } from '../../index.js';
import { passOn } from '../../test/deployments.js';

test('every request of both engines carries the lines given, in place of its own, and no report shows their values', async () => {
  const [key, page] = ['k3y-of-the-gateway', 'https://pages.example'];
  const asking = { keyless: 0, elsewhere: 0 };
  await using service = await startReferenceServer();
  // A gateway that lets nobody through without its key.
  const gateway = createServer((asked, answer) => {
    const origins = asked.rawHeaders.filter((_, at, lines) => at % 2 === 1 && lines[at - 1]?.toLowerCase() === 'origin');
    if (origins.join() !== page) asking.elsewhere += 1;
    if (asked.headers['x-api-key'] === key) return passOn(asked, answer, service.url);
    asking.keyless += 1;
    return void answer.writeHead(403).end();
  });
  await using at = await listening(gateway);
  const report = await runConformance({
    baseUrl: `${at.url}/api`,
    collections: ['books'],
    users: defaultUsers.slice(0, 1),
    only: ['challenge', 'exchange.token', 'token.sufficient', 'errors'],
    runs: 1,
    seed: 1,
    headers: [`X-Api-Key: ${key}`, `origin: ${page}`],
  });
  expect([report.verdict, asking]).toEqual(['conformant', { keyless: 0, elsewhere: 0 }]);
  expect(report.requirements.flatMap(({ checks }) => checks).map(({ engine }) => engine)).toContain('postman');
  expect(JSON.stringify(report)).not.toContain(key);
});
