import { expect, test } from 'vitest';
import type { RequestPlan } from '../index.js';
import { fakeTime, get, plainAnswer, withTarget } from './raw-server.js';

const limited = (...lines: string[]) =>
  `HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;

test.each([
  ['seconds', limited('Retry-After: 7'), 7000],
  [
    'a date, by the clock of the target',
    limited('Date: Tue, 01 Jan 2019 00:00:00 GMT', 'Retry-After: Tue, 01 Jan 2019 00:00:09 GMT'),
    9000,
  ],
  ['a date, by our clock where the target tells none', limited('Retry-After: Tue, 01 Jan 2030 00:00:04 GMT'), 4000],
  ['nothing', limited(), 1000],
  ['nonsense', limited('Retry-After: soon'), 1000],
  ['no time at all', limited('Retry-After: 0'), 250],
  ['seconds, unavailable', limited('Retry-After: 3').replace('429 Too Many Requests', '503 Unavailable'), 3000],
])('waits as told by Retry-After: %s', async (_, answer, waitMs) => {
  const { time, pauses } = fakeTime();
  await withTarget(
    (socket, __, count) => void socket.write(count === 1 ? answer : plainAnswer),
    async (client) => {
      const exchange = await client.send(get());
      expect(exchange).toMatchObject({ answer: { status: 200 }, delayedTimes: 1 });
      expect(pauses).toEqual([waitMs]);
      expect(client.rateLimited).toBe(answer.includes('429') ? 1 : 0);
    },
    { time },
  );
});

test('gives the answer as it is when the budget does not suffice, and when nothing asks for another try', async () => {
  const { time, pauses } = fakeTime();
  await withTarget(
    limited('Retry-After: 31'),
    async (client) => {
      expect((await client.send(get())).answer?.status).toBe(429);
    },
    { time },
  );
  await withTarget(
    'HTTP/1.1 503 Unavailable\r\nContent-Length: 0\r\n\r\n',
    async (client) => {
      expect((await client.send(get())).answer?.status).toBe(503);
    },
    { time },
  );
  expect(pauses).toEqual([]);
});

test('gives up a target that never has enough, within the budget of the whole run', async () => {
  const { time, pauses } = fakeTime();
  await withTarget(
    limited('Retry-After: 0'),
    async (client) => {
      const exchanges = await Promise.all(Array.from({ length: 10 }, () => client.send(get())));
      expect(exchanges.every(({ answer }) => answer?.status === 429)).toBe(true);
      expect(time.now()).toBeLessThanOrEqual(5000);
      expect(pauses.length).toBeGreaterThan(10);
      expect(client.rateLimited).toBe(client.requests);
    },
    { time, retryAfterBudgetMs: 5000 },
  );
});

test('gives up waiting for logins that are never taken, although other requests are', async () => {
  const { time } = fakeTime();
  const login: RequestPlan = { ...get(), headers: [['Authorization', 'Basic eA==']] };
  await withTarget(
    (socket, request) => void socket.write(/^authorization:/im.test(request) ? limited('Retry-After: 1') : plainAnswer),
    async (client) => {
      for (let count = 0; count < 200; count += 1) {
        await client.send(get());
        if (count % 10 === 0) expect((await client.send(login)).answer?.status).toBe(429);
      }
    },
    { time, retryAfterBudgetMs: 5000 },
  );
  expect(time.now()).toBeLessThanOrEqual(5000);
});

test('holds nothing back but logins where logins alone are limited', async () => {
  const { time } = fakeTime();
  const login: RequestPlan = { ...get(), headers: [['Authorization', 'Basic eA==']] };
  let logins = 0;
  await withTarget(
    (socket, request) => void socket.write(/^authorization:/im.test(request) && ++logins === 1 ? limited('Retry-After: 5') : plainAnswer),
    async (client) => {
      const first = client.send(login);
      while (client.rateLimited === 0) await new Promise((resolve) => setImmediate(resolve));
      const [other, second] = await Promise.all([client.send(get()), client.send(login)]);
      expect(other.sentAtMs).toBeLessThan(5000);
      expect(second.sentAtMs).toBeGreaterThanOrEqual(5000);
      expect((await first).delayedTimes).toBe(1);
      expect(client.pace.perSecond).toBeUndefined();
    },
    { time },
  );
});

test('holds other requests back while one waits', async () => {
  const { time } = fakeTime();
  await withTarget(
    (socket, _, count) => void socket.write(count === 1 ? limited('Retry-After: 5') : plainAnswer),
    async (client) => {
      const first = client.send(get('/first'));
      while (client.rateLimited === 0) await new Promise((resolve) => setImmediate(resolve));
      const second = await client.send(get('/second'));
      expect(second.sentAtMs).toBeGreaterThanOrEqual(5000);
      expect((await first).delayedTimes).toBe(1);
    },
    { time },
  );
});

test('a target that takes twenty a second gets about as many, and in the end everything is answered', async () => {
  const { time } = fakeTime();
  let second = { beganMs: 0, taken: 0 };
  await withTarget(
    (socket) => {
      if (time.now() - second.beganMs >= 1000) second = { beganMs: time.now(), taken: 0 };
      second.taken += 1;
      socket.write(second.taken > 20 ? limited() : plainAnswer);
    },
    async (client) => {
      const exchanges = await Promise.all(Array.from({ length: 400 }, () => client.send(get())));
      expect(exchanges.filter(({ answer }) => answer?.status !== 200)).toEqual([]);
      expect(client.rateLimited).toBeLessThan(100);
      expect(client.pace.perSecond).toBeLessThan(25);
    },
    { time, retryAfterBudgetMs: 30_000 },
  );
});

test('an interruption ends the waiting', async () => {
  const controller = new AbortController();
  await withTarget(
    limited('Retry-After: 20'),
    async (client) => {
      const waiting = client.send(get());
      while (client.rateLimited === 0) await new Promise((resolve) => setImmediate(resolve));
      controller.abort();
      expect((await waiting).problem?.code).toBe('aborted');
    },
    { signal: controller.signal },
  );
});
