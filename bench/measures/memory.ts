import type { Bench } from '../bench.js';
import { figure } from '../figures.js';
import type { Usage } from '../servers/usage.js';
import { loadChallenge, type Served } from './loads.js';

/** How much the server grows over a million challenges that nobody answers. */
export async function measureMemory(bench: Bench): Promise<void> {
  bench.log('challengeMemoryPerMillion');
  const count = bench.quick ? 50_000 : 1_000_000;
  const server: Served = await bench.start('servers/reference.ts', {}, ['--expose-gc']);
  await loadChallenge(bench, server, 20_000);
  const before = await server.ask<Usage>({});
  await loadChallenge(bench, server, count);
  const after = await server.ask<Usage>({});
  const what = `growth of the resident set, after ${count.toLocaleString('en')} challenges`;
  const growthMb = after.residentMb - before.residentMb;
  bench.figures.push(figure('challengeMemoryPerMillion', what, [growthMb], { goal: { atMost: 64 }, unit: 'MB', raw: { before, after } }));
}
