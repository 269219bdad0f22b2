import { expect, test } from 'vitest';
import { Pace } from '../pace.js';
import { fakeTime } from './raw-server.js';

test.each([5, 20, 50])('a limit of %i a second is found out, and costs little more than it must', async (limit) => {
  const { time, pass } = fakeTime(0);
  const pace = new Pace(Number.POSITIVE_INFINITY, time);
  const requests = limit * 120;
  let second = { beganMs: 0, taken: 0 };
  let refused = 0;
  for (let [taken, turns] = [0, 1]; taken < requests; turns += 1) {
    // Now and then two go out in one piece, and a timer comes late.
    const piece = turns % 10 === 0 ? 2 : 1;
    await pace.turn(piece, new AbortController().signal);
    pass(turns % 15 === 0 ? 25 : 1);
    if (time.now() - second.beganMs >= 1000) second = { beganMs: time.now(), taken: 0 };
    if (second.taken + piece <= limit) {
      second.taken += piece;
      taken += piece;
      for (let at = 0; at < piece; at += 1) pace.taken();
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
