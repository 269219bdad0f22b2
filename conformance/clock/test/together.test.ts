import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SharedClock } from '../index.js';

test('one that fails does not keep the others waiting', async () => {
  const moves: number[] = [];
  const clock = new SharedClock(async (ms) => void moves.push(ms));
  const failing = clock.take(async () => {
    throw new Error('broken');
  });
  const waiting = clock.take((advance) => advance(10));
  await expect(failing).rejects.toThrow('broken');
  await waiting;
  expect(moves).toEqual([10]);
});

test('a move that fails fails those who wait for its instant, and the others go on', async () => {
  const moves: number[] = [];
  const clock = new SharedClock(async (ms) => {
    moves.push(ms);
    if (moves.length === 1) throw new Error('stuck');
  });
  const results = await Promise.allSettled([10, 10, 30].map((ms) => clock.take((advance) => advance(ms))));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(moves).toEqual([10, 30]);
});

test('each finds the clock moved by exactly what it asked for, whatever the others do', async () => {
  const schedules = fc.array(fc.array(fc.record({ ms: fc.integer({ min: 1, max: 50 }), busy: fc.nat(5) }), { maxLength: 5 }), {
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(schedules, async (tries) => {
      let nowMs = 0;
      const clock = new SharedClock(async (ms) => {
        nowMs += ms;
      });
      await Promise.all(
        tries.map((steps) =>
          clock.take(async (advance) => {
            for (const { ms, busy } of steps) {
              const before = nowMs;
              for (let turn = 0; turn < busy; turn += 1) await Promise.resolve();
              expect(nowMs).toBe(before);
              await advance(ms);
              expect(nowMs).toBe(before + ms);
            }
          }),
        ),
      );
      expect(nowMs).toBe(Math.max(0, ...tries.map((steps) => steps.reduce((sum, { ms }) => sum + ms, 0))));
    }),
    { seed: 5, numRuns: 200 },
  );
});
