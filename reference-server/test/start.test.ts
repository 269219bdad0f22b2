import { expect, test } from 'vitest';
import { startReferenceServer } from '../index.js';

const collection = (url: string, headers: Record<string, string> = {}) => fetch(`${url}/books`, { headers });

test('works with no arguments, on a free port, and closes twice', async () => {
  const server = await startReferenceServer();
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
  expect(server.clockUrl).toBeNull();
  expect((await collection(server.url)).status).toBe(401);
  await Promise.all([server.close(), server.close()]);
  await server.close();
  await expect(collection(server.url)).rejects.toThrow();
});

test.each([
  [undefined, false],
  ['0.0.0.0', true],
])('with the host %s it is reached at other addresses: %s; its clock and its control never are', async (host, isReached) => {
  await using server = await startReferenceServer({ clock: 'manual', control: true, ...(host && { host }) });
  const elsewhere = (url = '') =>
    fetch(url.replace('127.0.0.1', '127.0.0.2')).then(
      () => true,
      () => false,
    );
  expect(await Promise.all([server.url, server.clockUrl ?? '', server.control?.url].map(elsewhere))).toEqual([isReached, false, false]);
});

test('closes at once while clients keep their connections', async () => {
  const server = await startReferenceServer();
  await Promise.all(Array.from({ length: 5 }, () => collection(server.url)));
  const begun = performance.now();
  await server.close();
  expect(performance.now() - begun).toBeLessThan(4500);
});

test('a server without users says so, and takes no user who is none', async () => {
  await using server = await startReferenceServer({ users: [] });
  await expect(server.issueToken()).rejects.toThrow('there are none');
  await expect(server.issueToken(99)).rejects.toThrow('there is no user 99; there are none');
  await expect(server.addUser({ id: 8.5, paraphrase: 'x' })).rejects.toThrow('addUser: the id 8.5 is not an integer');
});

test('one part can be replaced alone', async () => {
  await using server = await startReferenceServer({
    parts: (parts) => ({ ...parts, tokens: { ...parts.tokens, draw: () => parts.tokens.draw().toUpperCase() } }),
  });
  const token = await server.issueToken();
  expect(token).toMatch(/^[0-9A-F]{64}$/);
  expect((await collection(server.url, { 'x-authorization': token })).status).toBe(200);
});

test('a part that throws is a 500 with the common headers, and the server lives', async () => {
  let failing = true;
  await using server = await startReferenceServer({
    parts: (parts) => ({
      ...parts,
      guard: {
        ...parts.guard,
        decide(request, all) {
          if (failing) throw new Error('broken');
          return parts.guard.decide(request, all);
        },
      },
    }),
  });
  const answer = await collection(server.url);
  expect([answer.status, answer.headers.get('content-type'), await answer.json()]).toEqual([
    500,
    'application/ld+json',
    { 500: 'The server failed to answer this request' },
  ]);
  failing = false;
  expect((await collection(server.url)).status).toBe(401);
});
