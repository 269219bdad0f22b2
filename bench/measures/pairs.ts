import { needs } from '../../fixtures/test/needs.js';
import { RedisServer } from '../../reference-server/test/redis-server.js';
import { type Bench, type Load, loadFrom, type Served } from '../bench.js';
import { byTurns, type FigureName, quotients, summarize } from '../figures.js';
import type { Usage } from '../servers.js';

type Loads = ReturnType<typeof loadFrom>;
type Burst = (server: Served, token: string) => Promise<Load>;

/** The machine is faster at one time than at another: many short bursts by turns meet that alike, where few long ones do not. */
const count = 1500;
/** The first bursts compile the code, and do not count. */
const bursts = { first: 16, counted: 8 };

/**
 * Servers in pairs of new processes. Counted is the processor time of the server alone: one that is busy answers as many requests a second
 * as it has time for, and a host that has others to serve takes none of it away. One quotient comes from each pair, because V8 compiles
 * the same code to faster or slower code by chance, and keeps to it: two processes differ by a tenth.
 */
export async function measurePairs(bench: Bench): Promise<void> {
  const { add, rounds, serve } = bench;
  const loads = loadFrom(await bench.loader());
  const useToken: Burst = (server, token) => loads.uses(server, token, count);
  const steps = {
    tokenUseVsBareHapi: useToken,
    challengeVsBareHapi: (server: Served) => loads.challenges(server, count),
    exchangeVsBareHapi: (server: Served) => loads.exchanges(server, count),
  };
  await measure(bench, loads, 3 * rounds, steps, async () => {
    const plugin = await serve('plugin');
    return [plugin, await serve('bare', { like: plugin.ready.url })];
  });
  const program = needs('redis-server');
  if (program.skip) add('redisTokenUseVsMemory', 'redis-server is not installed');
  else {
    const started = await RedisServer.start(program.path);
    const stores = async (): Promise<[Served, Served]> => [await serve('reference', { store: started.url }), await serve('reference')];
    await measure(bench, loads, rounds, { redisTokenUseVsMemory: useToken }, stores);
    await started.stop();
  }
  const behind = await serve('reference');
  const settings = { baseUrl: behind.ready.url };
  const proxies = async (): Promise<[Served, Served]> => [await serve('proxy', settings), await serve('plainProxy', settings)];
  await measure(bench, loads, rounds, { proxyVsPlainProxy: useToken }, proxies, await loads.token(behind));
}

async function measure(
  { add, log }: Bench,
  loads: Loads,
  pairs: number,
  taken: { readonly [Name in FigureName]?: Burst },
  start: () => Promise<[Served, Served]>,
  known?: string,
): Promise<void> {
  const names = Object.keys(taken) as FigureName[];
  const medians = names.map(() => [[], []] as [Omit<Load, 'collected'>[], Omit<Load, 'collected'>[]]);
  for (let pair = 1; pair <= pairs; pair++) {
    log(`${names.join(', ')}: pair ${pair} of ${pairs}`);
    const [one, other] = await start();
    const tokens = [known ?? (await loads.token(one)), known ?? (await loads.token(other))] as const;
    for (const [index, burst] of Object.values(taken).entries()) {
      const works = { first: () => burst(one, tokens[0]), second: () => burst(other, tokens[1]) };
      await byTurns(bursts.first, works);
      const each = await byTurns(bursts.counted, works);
      for (const [side, all] of [each.first, each.second].entries()) {
        const median = (of: 'cpuMsPerRequest' | 'perSecond') => summarize(all.map((load) => load[of])).median;
        medians[index]?.[side]?.push({ cpuMsPerRequest: median('cpuMsPerRequest'), perSecond: median('perSecond') });
      }
    }
    await Promise.all([one.stop(), other.stop()]);
  }
  for (const [index, name] of names.entries()) {
    const [of, over] = medians[index] as (typeof medians)[number];
    const [cpuMs, otherMs] = [of, over].map((side) => side.map(({ cpuMsPerRequest }) => cpuMsPerRequest)) as [number[], number[]];
    const [rate, otherRate] = [of, over].map((side) => side.map(({ perSecond }) => perSecond)) as [number[], number[]];
    const bySecondsPassed = summarize(quotients(rate, otherRate));
    add(name, quotients(otherMs, cpuMs), { cpuMs: [summarize(cpuMs), summarize(otherMs)], bySecondsPassed, perSecond: summarize(rate) });
  }
}

/** How much the server grows over a million challenges that nobody answers. */
export async function measureMemory({ add, quick, serve, loader, log }: Bench): Promise<void> {
  log('challengeMemoryPerMillion');
  const count = quick ? 50_000 : 1_000_000;
  const server = await serve('reference', {}, ['--expose-gc']);
  const { challenges } = loadFrom(await loader());
  await challenges(server, 20_000);
  const before = await server.ask<Usage>({});
  await challenges(server, count);
  const after = await server.ask<Usage>({});
  const what = `growth of the resident set, after ${count.toLocaleString('en')} challenges`;
  add('challengeMemoryPerMillion', [after.residentMb - before.residentMb], { before, after }, what);
}
