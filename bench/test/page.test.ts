import { expect, test } from 'vitest';
import { figureParts, type Measured } from '../report/page.js';

const measured: Measured = {
  ratios: { met: 1.25, missed: 3.5, skipped: null },
  raw: {
    met: figure('met', 1.25, { atLeast: 1 }),
    missed: figure('missed', 3.5, { atMost: 3 }),
    skipped: { name: 'skipped', what: 'one against another', skipped: 'redis-server is not installed' },
    peers: [{ name: 'a tool', what: 'one flow', unit: 's', skipped: 'not installed' }],
    growth: [{ name: 'users', unit: 'user', points: [1, 2].map((at) => ({ at, requests: 2 * at, seconds: 2 * at })) }],
  },
  machine: {
    cores: 2,
    cpu: 'a processor',
    memoryMb: 2048,
    system: 'linux',
    node: 'v20.19.0',
    loadBefore: 0.5,
    loadAfter: 1,
    stolen: 0.012,
    takenAt: '2026-01-02T03:04:05.000Z',
    quick: false,
  },
};

function figure(name: string, median: number, goal: object) {
  return {
    name,
    what: 'one against another',
    goal,
    summary: { median, low: median, high: median, noise: 0, rounds: [median, median] },
  };
}

test('tells the machine, what was met and missed, and why a figure is lacking', () => {
  const text = figureParts(measured).join('\n\n');
  expect(text).toContain('2026-01-02 on a processor, 2 cores, 2 GB');
  expect(text).toContain('1.2 % of its time');
  expect(text).toMatch(/`met` .* ≥ 1 \| met \|/);
  expect(text).toMatch(/`missed` .* 3\.50 .* ≤ 3 \| missed \|/);
  expect(text).toContain('skipped | redis-server is not installed');
  expect(text).toContain('a tool | one flow | skipped | not installed');
  expect(text).toContain('a user: 2.00 requests, 2,000 ms');
});
