import { expect, test } from 'vitest';
import { createReferenceServer, manualClock } from '../index.js';
import { aliceBasic, basic, get, logIn, nonceOf } from './support.js';

const use = async (server: ReturnType<typeof createReferenceServer>, token: string) =>
  (await get(server, '/api/books', { 'x-authorization': token })).statusCode;

test('a token lives 45 minutes from its issue, use or not, and is refused for ever after', async () => {
  const clock = manualClock();
  const server = createReferenceServer({ clock });
  const token = await logIn(server);
  for (let minute = 0; minute < 44; minute++) {
    clock.advance({ minutes: 1 });
    expect(await use(server, token)).toBe(200);
  }
  clock.advance({ ms: 59_999 });
  expect(await use(server, token)).toBe(200);
  clock.advance({ ms: 1 });
  expect(await use(server, token)).toBe(401);
  await logIn(server);
  for (const days of [1, 30, 365]) {
    clock.advance({ days });
    expect(await use(server, token)).toBe(401);
  }
});

test('tokens are independent of each other', async () => {
  const clock = manualClock();
  const server = createReferenceServer({ clock });
  const first = await logIn(server);
  clock.advance({ minutes: 30 });
  const second = await logIn(server);
  const others = await logIn(server, basic(2, 'a:paraphrase:with:colons'));
  expect(new Set([first, second, others]).size).toBe(3);
  clock.advance({ minutes: 15 });
  expect(await use(server, first)).toBe(401);
  expect([await use(server, second), await use(server, others)]).toEqual([200, 200]);
});

test('a token that is almost right is refused', async () => {
  const server = createReferenceServer();
  const token = await logIn(server);
  const nonce = await nonceOf(server);
  for (const wrong of [
    token.slice(1),
    `${token}0`,
    token.toUpperCase(),
    token.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    '',
    nonce,
    `${token}, ${token}`,
  ]) {
    expect([wrong, await use(server, wrong)]).toEqual([wrong, 401]);
  }
  for (const headers of [
    { 'x-authentication': token, authorization: aliceBasic },
    { authorization: token },
    { authorization: `Bearer ${token}` },
    { authorization: `Basic ${token}` },
  ]) {
    expect((await get(server, '/api/books', headers)).statusCode).toBe(401);
  }
  expect(await use(server, token)).toBe(200);
});

test('a thousand tokens are all different', async () => {
  const server = createReferenceServer();
  const tokens = await Promise.all(Array.from({ length: 1000 }, () => logIn(server)));
  expect(new Set(tokens).size).toBe(1000);
});
