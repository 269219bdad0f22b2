import type { Bench } from '../bench.js';
import { interleave, quotients } from '../interleave.js';
import { figure } from '../result.js';
import { summarize } from '../statistics.js';
import { loadTokenUse, type Served, takeToken } from './step-loads.js';

/** Step C on a server with control and live page that nobody watches, against one without. */
export async function measureControl(bench: Bench): Promise<void> {
  bench.log('controlVsNone');
  const plain: Served = await bench.start('servers/reference.ts');
  const controlled: Served = await bench.start('servers/reference.ts', { control: true, page: true, recordLast: 300 });
  const cpuMs: Record<'plain' | 'controlled', number[]> = { plain: [], controlled: [] };
  const working = async (name: keyof typeof cpuMs, server: Served) => {
    const token = await takeToken(bench, server);
    // The first burst compiles the code; it does not count.
    await loadTokenUse(bench, server, token, { seconds: bench.burstSeconds });
    return async () => {
      const load = await loadTokenUse(bench, server, token, { seconds: bench.burstSeconds });
      cpuMs[name].push(load.serverCpuMsPerRequest);
      return load.perSecond;
    };
  };
  const works = { plain: await working('plain', plain), controlled: await working('controlled', controlled) };
  const rates = await interleave(bench.rounds, works);
  const what = 'Step C with control and page, against without';
  bench.results.figures.push(
    figure('controlVsNone', what, quotients(rates.controlled, rates.plain), {
      goal: { atLeast: 0.95 },
      raw: { byServerCpu: summarize(quotients(cpuMs.plain, cpuMs.controlled)) },
    }),
  );
}
