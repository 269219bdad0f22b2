import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Allowance } from '../allowance.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const requests = (amount: number) => new Allowance({ amount, unit: 'requests' }, undefined, 0);
const seconds = (amount: number) => new Allowance({ amount, unit: 'seconds' }, undefined, performance.now());

test('laws go before the collection, and both before combinations and random cases', () => {
  expect(requests(1000).room(900, 5)).toEqual({ combinations: 0, collection: false, randomCases: false });
  expect(requests(1160).room(900, 5)).toEqual({ combinations: 0, collection: true, randomCases: false });
  expect(requests(1410).room(900, 5)).toEqual({ combinations: 200, collection: true, randomCases: false });
  expect(requests(3000).room(900, 5)).toEqual({ combinations: 900, collection: true, randomCases: true });
});

test('the requests of the collection are set aside', () => {
  const allowance = requests(1200);
  allowance.room(900, 5);
  expect(allowance.take(1140)).toBeUndefined();
  expect(allowance.take(1)).toBe('the budget of 1,200 requests was spent');
});

test('a time holds fewer requests where answers take longer, and ends when it is over', () => {
  const allowance = seconds(30);
  expect(allowance.room(900, 1).combinations).toBe(900);
  expect(allowance.room(900, 100).combinations).toBeLessThan(300);
  vi.advanceTimersByTime(30_000);
  expect(allowance.take(1)).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(allowance.take(1)).toBe('the budget of 30 seconds was spent');
});
