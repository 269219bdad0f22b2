import { type Bench, user } from '../bench.js';
import { interleave, quotients } from '../interleave.js';
import { figure } from '../result.js';
import { summarize } from '../statistics.js';
import { loadTokenUse, type Served, takeToken } from './step-loads.js';

/** Step C through the proxy that logs in, against a plain proxy to which the load brings its token. */
export async function measureProxy(bench: Bench): Promise<void> {
  bench.log('proxyVsPlainProxy');
  const server: Served = await bench.start('servers/reference.ts');
  const baseUrl = server.ready.url;
  const token = await takeToken(bench, server);
  const cpuMs: Record<'plain' | 'proxy', number[]> = { plain: [], proxy: [] };
  const working = async (name: keyof typeof cpuMs, script: string) => {
    const started: Served = await bench.start(script, { baseUrl, user });
    const burst = () => loadTokenUse(bench, started, token, { seconds: bench.burstSeconds });
    // The first burst compiles the code; it does not count.
    await burst();
    return async () => {
      const { perSecond, serverCpuMsPerRequest } = await burst();
      cpuMs[name].push(serverCpuMsPerRequest);
      return perSecond;
    };
  };
  const works = { plain: await working('plain', 'servers/plain-proxy.ts'), proxy: await working('proxy', 'servers/proxy.ts') };
  const rates = await interleave(bench.rounds, works);
  bench.results.figures.push(
    figure('proxyVsPlainProxy', 'hydrauth proxy against a plain node:http proxy', quotients(rates.proxy, rates.plain), {
      goal: { atLeast: 0.7 },
      raw: { perSecond: summarize(rates.proxy), byServerCpu: summarize(quotients(cpuMs.plain, cpuMs.proxy)) },
    }),
  );
}
