import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClockError, startBridge, type TargetClock } from '../index.js';

const begin = Date.UTC(2026, 0, 1);
let moves: number[];
let bridge: Awaited<ReturnType<typeof startBridge>>;

function clock(extra: Partial<TargetClock> = {}): TargetClock {
  return {
    canMove: true,
    isInstant: true,
    seesItsMoves: true,
    description: 'a test',
    advance: async (ms) => void moves.push(ms),
    now: async () => begin + moves.reduce((sum, ms) => sum + ms, 0),
    close: async () => undefined,
    ...extra,
  };
}

beforeEach(async () => {
  moves = [];
  bridge = await startBridge(clock());
});
afterEach(() => bridge.close());

const post = (body: string, url = bridge.url) => fetch(url, { method: 'POST', body });

test('speaks the clock contract on loopback', async () => {
  expect(new URL(bridge.url).hostname).toBe('127.0.0.1');
  expect(await (await fetch(bridge.url)).json()).toEqual({ now: '2026-01-01T00:00:00.000Z' });
  const moved = await post('{"advanceMs": 2700000}');
  expect([moved.status, await moved.json()]).toEqual([200, { now: '2026-01-01T00:45:00.000Z' }]);
  expect(moves).toEqual([2_700_000]);
});

test.each([
  '',
  '{}',
  '5',
  'null',
  '[]',
  '{"advanceMs":"5"}',
  '{"advanceMs":-1}',
  '{"advanceMs":0.5}',
  '{"advanceMs":5,"x":1}',
  '{"advanceMs":1e400}',
  `{"advanceMs":5${' '.repeat(2000)}}`,
])('the body "%s" is refused and moves nothing', async (body) => {
  const answer = await post(body);
  expect([answer.status, moves]).toEqual([400, []]);
  expect(((await answer.json()) as { error: string }).error).toMatch(/advanceMs/);
});

test('a clock that does not move is an error with its own words', async () => {
  const broken = await startBridge(clock({ advance: () => Promise.reject(new ClockError('It is stuck.')) }));
  const answer = await post('{"advanceMs":1}', broken.url);
  expect([answer.status, await answer.json()]).toEqual([502, { error: 'It is stuck.' }]);
  await broken.close();
});

test('keeps count where the clock cannot be read', async () => {
  const blind = await startBridge(clock({ now: async () => undefined }));
  for (const _ of [1, 2]) await post('{"advanceMs":3600000}', blind.url);
  const { now } = (await (await fetch(blind.url)).json()) as { now: string };
  expect(Math.abs(Date.parse(now) - Date.now() - 2 * 3_600_000)).toBeLessThan(10_000);
  await blind.close();
});
