import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Exchange, WireProblemCode } from '../../wire/index.js';
import { RunBudget } from '../run-budget.js';

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
  const patience = new RunBudget(usual, true);
  for (const exchange of exchanges) patience.note(exchange);
  patience.close();
  return patience;
}

const times = (count: number, ...exchanges: Exchange[]) => Array.from({ length: count }, () => exchanges).flat();
const eleven = times(11, bad('closed', 2000));
const cutShort = [bad('length', 2000, true), good];

test.each<[string, Exchange[], string?]>([
  ['eleven exchanges in a row without an answer', eleven],
  ['twelve with an answer between them', [...eleven, good, bad('unreachable', 5)]],
  ['twelve in a row', [...eleven, bad('unreachable', 5)], 'the target stopped answering (It did not work.)'],
  ['239 connections that are closed at once, because some requests may get nothing else', times(239, bad('closed', 5))],
  ['47 that are closed after a quarter of the time', times(47, bad('closed', 500))],
  ['240 of them', times(240, bad('closed', 5)), 'the target stopped answering (It did not work.)'],
  ['29 that ran out of time in all, whole answers between them or not', times(29, ...cutShort)],
  ['30 of them', times(30, ...cutShort), '30 requests got no whole answer in time (It did not work.)'],
  ['99 that are too large', times(99, bad('too-large', 50, true))],
  ['100 of them', times(100, bad('too-large', 50, true)), '100 answers were too large to be read (It did not work.)'],
  ['what is not HTTP, which is an answer', times(50, bad('malformed', 5))],
  ['interruptions, which are none', times(50, bad('aborted', 5))],
])('%s: a target is given up or not', (_, exchanges, why) => {
  const { over, signal } = noting(...exchanges);
  expect([over, signal.reason?.name, signal.reason?.message]).toEqual([why, why && 'GivenUp', why]);
});

test('the time that requests were held back for a pace is not counted, and no more than that', () => {
  let heldMs = 0;
  const patience = new RunBudget(usual, true, () => heldMs);
  vi.advanceTimersByTime(30_000);
  heldMs = 25_000;
  vi.advanceTimersByTime(30_000);
  expect(patience.over).toBeUndefined();
  vi.advanceTimersByTime(1000);
  expect(patience.over).toMatch(/^the target is too slow for this --timeout: the run reached its limit of 36 s/);
});

test('the plainest that ran out of time is remembered', () => {
  const withHeaders = (...names: string[]) => ({
    ...bad('timeout', 2000),
    request: { ...request, headers: names.map((name) => [name, 'x'] as const) },
  });
  const { late } = noting(withHeaders('A', 'B'), withHeaders('C'), good, withHeaders('D'));
  expect([late?.times, late?.plainest.headers]).toEqual([3, [['C', 'x']]]);
});

test('a run is bounded by its time-out, longer when more examples are asked for', () => {
  const [short, long, waiting] = [new RunBudget(usual, true), new RunBudget({ ...usual, runs: 30 }, true), new RunBudget(usual, false)];
  vi.advanceTimersByTime(36_000);
  expect([short.over, long.over]).toEqual([expect.stringContaining('too slow'), undefined]);
  vi.advanceTimersByTime(72_000);
  expect([long.over, waiting.over]).toEqual([expect.stringContaining('too slow'), undefined]);
});

test('a target that is only far away may take four times as long', () => {
  const far = new RunBudget(usual, true);
  const slow = new RunBudget(usual, true);
  const late = new RunBudget(usual, true);
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
