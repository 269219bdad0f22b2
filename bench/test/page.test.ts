import { expect, test } from 'vitest';
import { figureParts, type Measured, summarize } from '../figures.js';

const what = 'one against another';
const measured: Measured = {
  ratios: { met: 1.25, missed: 3.5, skipped: null },
  figures: [
    { name: 'met', what, goal: { atLeast: 1 }, summary: summarize([1.25, 1.2, 1.3]) },
    { name: 'missed', what, goal: { atMost: 3 }, unit: 's', summary: summarize([3.5]) },
    { name: 'skipped', what, skipped: 'redis-server is not installed' },
  ],
  machine: {
    ...{ cores: 2, cpu: 'a processor', memoryMb: 2048, system: 'linux', node: 'v20.19.0', quick: false },
    ...{ load: [0.5, 1], takenAt: '2026-01-02T03:04:05.000Z' },
  },
};

test('tells the machine, what was met and missed, and why a figure is lacking', () => {
  const text = figureParts(measured).join('\n\n');
  expect(text).toContain('2026-01-02 on a processor, 2 cores, 2 GB');
  expect(text).toMatch(/`met` .* 1\.25 .* 1\.20 to 1\.30, noise 2 % .* ≥ 1 .* met /);
  expect(text).toMatch(/`missed` .* 3\.50 s .* one round .* ≤ 3 .* missed /);
  expect(text).toContain('redis-server is not installed');
});
