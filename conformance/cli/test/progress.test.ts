import { expect, test } from 'vitest';
import { progressLine } from '../progress.js';

function shown(isTTY: boolean) {
  const lines: string[] = [];
  let nowMs = 0;
  const line = progressLine({ err: (text: string) => void lines.push(text), isTTY, width: 100 }, 'connecting', () => nowMs);
  line.show({ done: 1, total: 2, what: 'challenge.status' });
  nowMs = 4000;
  line.show({ done: 1, total: 3, what: 'token.sufficient' });
  line.show({ done: 2, total: 3, what: 'token.sufficient', pace: { perSecond: 18.4, leftMs: 130_000 } });
  line.show({ done: 2, total: 3, what: 'token.sufficient', found: 'challenge.status: Expected: 401. Got: 403.' });
  line.clear();
  return lines;
}

test('says on a terminal at once what is tried, then how far the run is, how long it took and about how long it still takes', () => {
  const [begins, first, second, third, found, , last] = shown(true);
  expect(begins).toContain('. 0 s, connecting');
  expect(first).toContain('1/2 0 s, challenge.status');
  expect(second).toContain('1/3 4 s, about 8 s left, token.sufficient');
  expect(third).toContain('2/3 4 s, 18/s, about 2 min left, token.sufficient');
  expect(found).toBe('\r\u001b[2Kchallenge.status: Expected: 401. Got: 403.\n');
  expect(last).toBe('\r\u001b[2K');
});

test('stays quiet in a pipe', () => {
  expect(shown(false)).toEqual([]);
});
