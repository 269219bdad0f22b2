import type { Bench } from '../bench.js';
import { figure } from '../result.js';
import type { Usage } from '../servers/usage.js';
import { loadChallenge, type Served } from './step-loads.js';

/** How much the server grows over a million challenges that nobody answers. */
export async function measureMemory(bench: Bench): Promise<void> {
  const { options, results } = bench;
  bench.log('challengeMemoryPerMillion');
  const count = options.quick ? 50_000 : 1_000_000;
  const server: Served = await bench.start('servers/reference.ts', {}, ['--expose-gc']);
  await loadChallenge(bench, server, { count: 20_000 });
  const before = await server.ask<Usage>({});
  const { p99Ms, perSecond } = await loadChallenge(bench, server, { count });
  const after = await server.ask<Usage>({});
  const what = `growth of the resident set, after ${count.toLocaleString('en')} challenges`;
  const raw = { count, before, after, heapGrowthMb: after.heapMb - before.heapMb, p99Ms, perSecond };
  const growthMb = after.residentMb - before.residentMb;
  results.figures.push(figure('challengeMemoryPerMillion', what, [growthMb], { goal: { atMost: 64 }, unit: 'MB', raw }));
}
