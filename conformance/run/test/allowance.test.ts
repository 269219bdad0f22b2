import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Allowance } from '../allowance.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const requests = (amount: number) => new Allowance({ amount, unit: 'requests' }, 0);
const seconds = (amount: number) => new Allowance({ amount, unit: 'seconds' }, performance.now());

test('without a budget there is room for everything', () => {
  const allowance = new Allowance(undefined, 0);
  const room = allowance.room(900, 5);
  expect(room).toEqual({ combinations: 900, collection: true, randomCases: true });
  expect(allowance.leftOut(900, room)).toEqual([]);
  expect(allowance.take(1_000_000)).toBeUndefined();
});

test('requests are taken out until it does not hold them', () => {
  const allowance = requests(3);
  expect([allowance.take(1), allowance.take(2), allowance.take(1)]).toEqual([undefined, undefined, 'the budget of 3 requests was spent']);
});

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

test('what was left out is said', () => {
  const allowance = requests(1000);
  expect(allowance.leftOut(900, allowance.room(900, 5))).toEqual([
    'To stay within the budget of 1,000 requests, these were left out: 900 of 900 combinations, the Postman collection, most random cases.',
  ]);
});
