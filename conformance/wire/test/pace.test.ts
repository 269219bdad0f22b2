import { expect, test } from 'vitest';
import { Pace } from '../pace.js';
import type { Time } from '../time.js';

const { signal } = new AbortController();

/** Time that passes only when somebody pauses, whose timers come late. */
function fakeTime(lateMs = 0) {
  let now = 0;
  const time: Time = {
    now: () => now,
    wallNow: () => now,
    pause: async (ms) => {
      now += ms + lateMs;
    },
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { time, pass };
}

/** Asks a target for so many requests that takes `perSecond` in each second and says "too many" to the others, `eachMs` for every answer. */
async function ask(pace: Pace, time: Time, pass: (ms: number) => void, requests: number, perSecond: number, eachMs: number) {
  let second = { beganMs: 0, taken: 0 };
  let refused = 0;
  for (let taken = 0; taken < requests; ) {
    await pace.turn(1, signal);
    pass(eachMs);
    if (time.now() - second.beganMs >= 1000) second = { beganMs: time.now(), taken: 0 };
    if (second.taken < perSecond) {
      second.taken += 1;
      taken += 1;
      pace.taken();
    } else {
      refused += 1;
      for (const _ of pace.perSecond === undefined ? [1, 2, 3] : [1]) pace.limited(time.now() + 1000);
      pass(1000);
    }
  }
  return { refused, seconds: time.now() / 1000 };
}

test.each([5, 20, 50])('a limit of %i a second is found out, and costs little more than it must', async (limit) => {
  const { time, pass } = fakeTime();
  const pace = new Pace(Number.POSITIVE_INFINITY, time);
  const requests = limit * 120;
  const { refused, seconds } = await ask(pace, time, pass, requests, limit, 1);
  expect(seconds).toBeLessThan((1.1 * requests) / limit);
  expect(refused).toBeLessThan(25);
  expect(pace.perSecond).toBeLessThan(limit * 1.2);
  expect(pace.heldMs / 1000).toBeGreaterThan(0.7 * seconds);
});

test('never faster than was asked for, and after a busy moment no burst', async () => {
  const { time, pass } = fakeTime();
  const pace = new Pace(10, time);
  expect((await ask(pace, time, pass, 100, 1e9, 1)).seconds).toBeGreaterThanOrEqual(9.9);
  expect(pace.perSecond).toBe(10);
  pass(5000);
  const beganMs = time.now();
  for (let turn = 0; turn < 5; turn += 1) await pace.turn(1, signal);
  expect(time.now() - beganMs).toBeGreaterThanOrEqual(400);
});
