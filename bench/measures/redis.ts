import type { Bench } from '../bench.js';
import type { Child } from '../children.js';
import { interleave, quotients } from '../interleave.js';
import { startRedis } from '../redis-server.js';
import { figure } from '../result.js';
import { summarize } from '../statistics.js';
import { loadTokenUse, type Served, takeToken } from './step-loads.js';

/** The Redis store against the memory store, and two instances on one Redis against one. */
export async function measureRedis(bench: Bench): Promise<void> {
  const { results, rounds, burstSeconds } = bench;
  const token = { name: 'redisTokenUseVsMemory', what: 'Step C with the Redis store against the memory store' };
  const scaling = { name: 'scalingTwoProcesses', what: 'Step C on two instances of one Redis against one' };
  const store = await startRedis();
  if (store === undefined) {
    for (const each of [token, scaling]) results.figures.push({ ...each, skipped: 'redis-server is not installed' });
    return;
  }
  bench.log(token.name);
  const memory: Served = await bench.start('servers/reference.ts');
  const one: Served = await bench.start('servers/reference.ts', { store });
  const other: Served = await bench.start('servers/reference.ts', { store });
  const second: Child<object> = await bench.start('load/generator.ts');
  const [ofMemory, shared] = [await takeToken(bench, memory), await takeToken(bench, one)];
  const p99Ms: number[] = [];
  const use = (server: Served, token: string, loader = bench.loader) =>
    loadTokenUse({ ...bench, loader }, server, token, { seconds: burstSeconds });
  const useOne = async () => {
    const load = await use(one, shared);
    p99Ms.push(load.p99Ms);
    return load.perSecond;
  };
  const useMemory = async () => (await use(memory, ofMemory)).perSecond;
  const useBoth = async () => {
    const [left, right] = await Promise.all([use(one, shared), use(other, shared, second)]);
    return left.perSecond + right.perSecond;
  };
  await useBoth();
  await useMemory();
  const rates = await interleave(rounds, { memory: useMemory, redis: useOne, both: useBoth });
  const raw = {
    memoryPerSecond: summarize(rates.memory),
    redisPerSecond: summarize(rates.redis),
    twoInstancesPerSecond: summarize(rates.both),
    redisP99Ms: summarize(p99Ms),
  };
  results.figures.push(figure(token.name, token.what, quotients(rates.redis, rates.memory), { goal: { atLeast: 0.5 }, raw }));
  results.figures.push(figure(scaling.name, scaling.what, quotients(rates.both, rates.redis), { raw }));
}
