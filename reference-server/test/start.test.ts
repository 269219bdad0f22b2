import { expect, test } from 'vitest';
import { manualClock, startReferenceServer } from '../index.js';
import { aliceBasic, basic } from './support.js';

const collection = (url: string, headers: Record<string, string> = {}) => fetch(`${url}/books`, { headers });

async function logIn(url: string, authorization = aliceBasic) {
  const nonce = (await collection(url)).headers.get('x-authentication') as string;
  return collection(url, { 'x-authentication': nonce, authorization });
}

test('works with no arguments, on a free port, and closes twice', async () => {
  const server = await startReferenceServer();
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
  expect(server.clockUrl).toBeNull();
  expect((await collection(server.url)).status).toBe(401);
  await Promise.all([server.close(), server.close()]);
  await server.close();
  await expect(collection(server.url)).rejects.toThrow();
});

test('closes at once while clients keep their connections', async () => {
  const server = await startReferenceServer();
  await Promise.all(Array.from({ length: 5 }, () => collection(server.url)));
  const begun = performance.now();
  await server.close();
  expect(performance.now() - begun).toBeLessThan(4500);
});

test('takes further users, who can log in at once', async () => {
  await using server = await startReferenceServer({ users: [] });
  await expect(server.issueToken()).rejects.toThrow('there are none');
  await expect(server.issueToken(99)).rejects.toThrow('there is no user 99; there are none');
  expect((await logIn(server.url, basic(8, 'late'))).status).toBe(401);
  await server.addUser({ id: 8, paraphrase: 'late' });
  expect((await logIn(server.url, basic(8, 'late'))).status).toBe(200);
  expect(server.users).toEqual([8]);
  await expect(server.addUser({ id: 8.5, paraphrase: 'x' })).rejects.toThrow('addUser: the id 8.5 is not an integer');
});

test('reset forgets tokens, nonces, added users and exchanges', async () => {
  const clock = manualClock();
  await using server = await startReferenceServer({ clock });
  const token = await server.issueToken();
  const nonce = (await collection(server.url)).headers.get('x-authentication') as string;
  await server.addUser({ id: 8, paraphrase: 'late' });
  clock.advance({ minutes: 1 });
  const now = clock.now();
  await server.reset();
  expect(server.recorded).toEqual([]);
  expect(clock.now()).toBe(now);
  expect((await collection(server.url, { 'x-authorization': token })).status).toBe(401);
  expect((await collection(server.url, { 'x-authentication': nonce, authorization: aliceBasic })).status).toBe(401);
  expect((await logIn(server.url, basic(8, 'late'))).status).toBe(401);
  expect((await logIn(server.url)).status).toBe(200);
});

test('one part can be replaced alone', async () => {
  await using server = await startReferenceServer({
    parts: (parts) => ({ ...parts, tokens: { ...parts.tokens, draw: () => parts.tokens.draw().toUpperCase() } }),
  });
  const token = (await logIn(server.url)).headers.get('x-authorization') as string;
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
