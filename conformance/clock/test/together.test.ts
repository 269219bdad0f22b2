import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SharedClock } from '../index.js';

function counted() {
  const moves: number[] = [];
  const clock = new SharedClock(async (ms) => {
    moves.push(ms);
  });
  return { moves, clock };
}

test('moves to the nearest instant that one waits for, when all wait', async () => {
  const { moves, clock } = counted();
  const order: string[] = [];
  await Promise.all([
    clock.take(async (advance) => {
      await advance(300);
      order.push('late');
    }),
    clock.take(async (advance) => {
      await advance(100);
      order.push('early');
      await advance(50);
      order.push('early again');
    }),
  ]);
  expect(order).toEqual(['early', 'early again', 'late']);
  expect(moves).toEqual([100, 50, 150]);
});

test('moves once for all that wait for the same instant', async () => {
  const { moves, clock } = counted();
  await Promise.all([1, 2, 3].map(() => clock.take((advance) => advance(700))));
  expect(moves).toEqual([700]);
});

test('does not move while one of them is busy', async () => {
  const { moves, clock } = counted();
  let free = () => {};
  const busy = clock.take(() => new Promise<void>((resolve) => (free = resolve)));
  const waiting = clock.take((advance) => advance(10));
  await Promise.resolve();
  expect(moves).toEqual([]);
  free();
  await Promise.all([busy, waiting]);
  expect(moves).toEqual([10]);
});

test('a clock that cannot be moved fails those who wait for it', async () => {
  const clock = new SharedClock(() => Promise.reject(new Error('stuck')));
  await expect(clock.take((advance) => advance(10))).rejects.toThrow('stuck');
});

test('one that fails does not keep the others waiting', async () => {
  const { moves, clock } = counted();
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

test('those that come when the others are done begin where the clock is', async () => {
  const { moves, clock } = counted();
  await clock.take((advance) => advance(100));
  await clock.take((advance) => advance(20));
  expect(moves).toEqual([100, 20]);
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
