import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TargetTime } from '../index.js';

const hour = 3_600_000;

/** A clock that was moved by these amounts, each between two instants of our own clock. */
async function moved(runs: boolean, ...moves: readonly (readonly [ms: number, fromMs: number, toMs: number])[]): Promise<TargetTime> {
  const time = new TargetTime(runs);
  for (const [ms, ...instants] of moves)
    await time.move(
      ms,
      () => instants.shift() as number,
      async () => {},
    );
  return time;
}

/** Sent at 100 and answered at 110; sent at 200 and answered at 220. */
const [earlier, later] = [
  { sentAtMs: 100, durationMs: 10 },
  { sentAtMs: 200, durationMs: 20 },
];

test('moves add up', async () => {
  const time = await moved(false, [1000, 120, 125], [2000, 130, 135], [4000, 205, 206]);
  expect(time.between(earlier, later)).toEqual({ leastMs: 3000, mostMs: 7120 });
  expect(time.movedMs).toBe(7000);
});

test('a move that is under way may have happened', async () => {
  const time = new TargetTime(false);
  let end = () => {};
  let nowMs = 150;
  const moving = time.move(
    hour,
    () => nowMs,
    () => new Promise((resolve) => (end = resolve)),
  );
  expect(time.between(earlier, later)).toEqual({ leastMs: 0, mostMs: hour + 120 });
  nowMs = 160;
  end();
  await moving;
  expect(time.between(earlier, later)).toEqual({ leastMs: hour, mostMs: hour + 120 });
});

test('a move that failed may have happened all the same, at any time since', async () => {
  const time = new TargetTime(false);
  const moving = time.move(
    hour,
    () => 50,
    () => Promise.reject(new Error('stuck')),
  );
  await expect(moving).rejects.toThrow('stuck');
  expect(time.between(earlier, later)).toEqual({ leastMs: 0, mostMs: hour + 120 });
});

test('the truth lies within the bounds, wherever in a move the clock is turned', async () => {
  const within = fc.double({ min: 0.1, max: 0.9, noNaN: true });
  const took = fc.integer({ min: 1, max: 30 });
  const spans = fc.array(fc.record({ ms: fc.nat(1000), gap: fc.nat(50), took, turned: within }), { maxLength: 6 });
  const exchange = fc.record({ sentAtMs: fc.nat(300), durationMs: took, servedAt: within });
  await fc.assert(
    fc.asyncProperty(spans, exchange, exchange, fc.boolean(), async (moves, one, gap, runs) => {
      const other = { ...gap, sentAtMs: one.sentAtMs + one.durationMs + gap.sentAtMs };
      let atMs = 0;
      const made = moves.map(({ ms, gap: before, took: during, turned }) => {
        const fromMs = atMs + before;
        atMs = fromMs + during;
        return { ms, fromMs, toMs: atMs, turnedMs: fromMs + turned * during };
      });
      const time = await moved(runs, ...made.map(({ ms, fromMs, toMs }) => [ms, fromMs, toMs] as const));
      const [from, to] = [one, other].map(({ sentAtMs, durationMs, servedAt }) => sentAtMs + servedAt * durationMs) as [number, number];
      const turned = made.filter(({ turnedMs }) => turnedMs > from && turnedMs < to).reduce((sum, { ms }) => sum + ms, 0);
      const truth = turned + (runs ? to - from : 0);
      const { leastMs, mostMs } = time.between(one, other);
      expect(truth).toBeGreaterThanOrEqual(leastMs - 1e-6);
      expect(truth).toBeLessThanOrEqual(mostMs + 1e-6);
    }),
    { seed: 1, numRuns: 300 },
  );
});
