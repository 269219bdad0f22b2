import type { Bench } from '../bench.js';
import { startChild } from '../children.js';
import { figure } from '../result.js';
import type { Usage } from '../servers/usage.js';
import { loadChallenge, type Served } from './step-loads.js';

/** How much the server grows over a million challenges that nobody answers. */
export async function measureMemory(bench: Bench): Promise<void> {
  const { options, results } = bench;
  bench.log('challengeMemoryPerMillion');
  const count = options.quick ? 50_000 : 1_000_000;
  const server: Served = await startChild('servers/reference.ts', {}, ['--expose-gc']);
  await loadChallenge(bench, server, { count: 20_000 });
  const before = await server.ask<Usage>({});
  const { p99Ms, perSecond } = await loadChallenge(bench, server, { count });
  const after = await server.ask<Usage>({});
  await server.stop();
  results.figures.push(
    figure(
      'challengeMemoryPerMillion',
      `growth of the resident set, after ${count.toLocaleString('en')} challenges`,
      [after.residentMb - before.residentMb],
      { goal: { atMost: 64 }, unit: 'MB', raw: { count, before, after, heapGrowthMb: after.heapMb - before.heapMb, p99Ms, perSecond } },
    ),
  );
}
