import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Exchange, WireProblemCode } from '../../wire/index.js';
import { runBudget } from '../run-budget.js';

const request = { method: 'GET', target: '/', headers: [] };
const answer = { status: 200, reason: 'OK', httpVersion: '1.1', headers: [], body: Buffer.alloc(0) };
const good: Exchange = { request, answer, sentAtMs: 0, durationMs: 5 };
const bad = (code: WireProblemCode, durationMs: number, cut = false): Exchange => ({
  request,
  problem: { code, message: 'It did not work.' },
  sentAtMs: 0,
  durationMs,
  ...(cut ? { answer } : {}),
});
const usual = { timeoutMs: 2000, runs: 10 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function noting(...exchanges: Exchange[]) {
  const patience = runBudget(usual, true);
  for (const exchange of exchanges) patience.note(exchange);
  patience.close();
  return patience;
}

test('twelve exchanges in a row without an answer are enough', () => {
  const eleven = Array.from({ length: 11 }, () => bad('closed', 500));
  expect(noting(...eleven).over).toBeUndefined();
  expect(noting(...eleven, good, bad('unreachable', 5)).over).toBeUndefined();
  const patience = noting(...eleven, bad('unreachable', 5));
  expect(patience.over).toBe('the target stopped answering (It did not work.)');
  expect(patience.signal.reason).toMatchObject({ name: 'GivenUp', message: patience.over });
});

test('connections that are closed at once may be many more: some requests may get nothing else', () => {
  const closed = Array.from({ length: 239 }, () => bad('closed', 5));
  expect(noting(...closed).over).toBeUndefined();
  expect(noting(...closed, bad('closed', 5)).over).toMatch(/^the target stopped answering/);
});

test('the time that requests were held back for a pace is not counted, and no more than that', () => {
  let heldMs = 0;
  const patience = runBudget(usual, true, () => heldMs);
  vi.advanceTimersByTime(30_000);
  heldMs = 25_000;
  vi.advanceTimersByTime(30_000);
  expect(patience.over).toBeUndefined();
  vi.advanceTimersByTime(1000);
  expect(patience.over).toMatch(/^the target is too slow for this --timeout: the run reached its limit of 36 s/);
});

test('so are thirty that ran out of time in all, whole answers between them or not', () => {
  const pair = [bad('length', 2000, true), good];
  expect(noting(...Array.from({ length: 29 }, () => pair).flat()).over).toBeUndefined();
  expect(noting(...Array.from({ length: 30 }, () => pair).flat()).over).toMatch(/^30 requests got no whole answer in time/);
});

test('the plainest that ran out of time is remembered', () => {
  const withHeaders = (...names: string[]) => ({
    ...bad('timeout', 2000),
    request: { ...request, headers: names.map((name) => [name, 'x'] as const) },
  });
  const { late } = noting(withHeaders('A', 'B'), withHeaders('C'), good, withHeaders('D'));
  expect([late?.times, late?.plainest.headers]).toEqual([3, [['C', 'x']]]);
});

test('so are a hundred that are too large', () => {
  const many = (count: number) => noting(...Array.from({ length: count }, () => bad('too-large', 50, true)));
  expect(many(99).over).toBeUndefined();
  expect(many(100).over).toBe('100 answers were too large to be read (It did not work.)');
});

test('what is not HTTP is an answer, and an interruption is none', () => {
  expect(noting(...Array.from({ length: 50 }, () => bad('malformed', 5))).over).toBeUndefined();
  expect(noting(...Array.from({ length: 50 }, () => bad('aborted', 5))).over).toBeUndefined();
});

test('a run is bounded by its time-out, longer when more examples are asked for', () => {
  const [short, long, waiting] = [runBudget(usual, true), runBudget({ ...usual, runs: 30 }, true), runBudget(usual, false)];
  vi.advanceTimersByTime(36_000);
  expect([short.over, long.over]).toEqual([expect.stringContaining('too slow'), undefined]);
  vi.advanceTimersByTime(72_000);
  expect([long.over, waiting.over]).toEqual([expect.stringContaining('too slow'), undefined]);
});

test('a target that is only far away may take four times as long', () => {
  const far = runBudget(usual, true);
  const slow = runBudget(usual, true);
  const late = runBudget(usual, true);
  late.note(bad('timeout', 2000));
  for (const durationMs of [100, 100, 150]) {
    far.note({ ...good, durationMs });
    late.note({ ...good, durationMs });
    slow.note({ ...good, durationMs: durationMs + 1 });
  }
  vi.advanceTimersByTime(143_000);
  const slowly = expect.stringContaining('its limit of 36 s');
  expect([far.over, slow.over, late.over]).toEqual([undefined, slowly, slowly]);
  vi.advanceTimersByTime(1000);
  expect(far.over).toContain('its limit of 144 s');
});
