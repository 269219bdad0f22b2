import { expect, test } from 'vitest';
import { Pace } from '../pace.js';
import { fakeTime } from './raw-server.js';

test.each([5, 20, 50])('a limit of %i a second is found out, and costs little more than it must', async (limit) => {
  const { time, pass } = fakeTime(0);
  const pace = new Pace(Number.POSITIVE_INFINITY, time);
  const requests = limit * 120;
  let second = { beganMs: 0, taken: 0 };
  let refused = 0;
  for (let taken = 0; taken < requests; ) {
    await pace.turn(1, new AbortController().signal);
    pass(1);
    if (time.now() - second.beganMs >= 1000) second = { beganMs: time.now(), taken: 0 };
    if (second.taken < limit) {
      second.taken += 1;
      taken += 1;
      pace.taken();
    } else {
      refused += 1;
      for (const _ of pace.perSecond === undefined ? [1, 2, 3] : [1]) pace.limited(time.now() + 1000);
      pass(1000);
    }
  }
  const seconds = time.now() / 1000;
  expect(seconds).toBeLessThan((1.1 * requests) / limit);
  expect(refused).toBeLessThan(8);
  expect(pace.perSecond).toBeLessThan(limit * 1.2);
  expect(pace.heldMs / 1000).toBeGreaterThan(0.7 * seconds);
});
