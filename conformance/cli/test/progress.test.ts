import { expect, test } from 'vitest';
import { startReferenceServer } from '../../../reference-server/index.js';
import { runConformance } from '../../run/index.js';
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

test('says in words what is tried, and after a quarter of a run how long it takes, within a third', async () => {
  const users = [{ id: 1, paraphrase: 'a long secret' }];
  await using server = await startReferenceServer({ users, collections: ['people'], clock: 'manual' });
  let answered = 0;
  server.hapi.ext('onPreResponse', (_, h) => {
    answered += 1;
    return h.continue;
  });
  // Every answer takes a second, whatever the clock of this machine says.
  const lines: [tookS: number, line: string][] = [];
  const terminal = { err: (text: string) => void lines.push([answered, text]), isTTY: true, width: 200 };
  const line = progressLine(terminal, 'connecting', () => answered * 1000);
  const clock = String(server.clockUrl);
  await runConformance({ baseUrl: server.url, collections: ['people'], users, clock, engine: 'laws', onProgress: line.show });
  line.clear();
  const told = lines.map(([, text]) => text);
  for (const words of ['connecting', 'logging in', 'Step C: token use', 'how long tokens live', 'wrong credentials'])
    expect(told.some((text) => text.endsWith(words))).toBe(true);
  const later = lines.flatMap(([took, text]) => {
    const [, left, unit] = /about (\d+) (s|min) left/.exec(text) ?? [];
    return took < answered / 4 || left === undefined ? [] : [took + Number(left) * (unit === 's' ? 1 : 60)];
  });
  expect(later.length).toBeGreaterThan(20);
  expect(later.filter((whole) => Math.abs(whole - answered) > answered / 3)).toEqual([]);
}, 120_000);
