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
