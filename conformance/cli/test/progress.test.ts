import { expect, test } from 'vitest';
import { progressLine } from '../progress.js';

function shown(isTTY: boolean) {
  const lines: string[] = [];
  const line = progressLine({ err: (text: string) => void lines.push(text), isTTY, width: 100 });
  line.show({ done: 1, total: 2, what: 'challenge.status' });
  line.show({ done: 2, total: 2, what: 'token.sufficient', pace: { perSecond: 18.4, leftMs: 61_000 } });
  line.show({ done: 2, total: 2, what: 'token.sufficient', pace: { perSecond: 18.4, leftMs: 130_000 } });
  line.clear();
  return lines;
}

test('says on a terminal how far the run is, and where requests are held back also how fast and how long still', () => {
  const [first = '', second = '', third = '', last] = shown(true);
  expect(first).toContain('1/2 challenge.status');
  expect(second).toContain('2/2 18/s, about 61 s left, token.sufficient');
  expect(third).toContain('18/s, about 2 min left');
  expect(last).toBe('\r\u001b[2K');
});

test('stays quiet in a pipe', () => {
  expect(shown(false)).toEqual([]);
});
