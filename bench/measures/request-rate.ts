import { authorizationOf, type Bench, collections, users } from '../bench.js';
import { interleave, quotients } from '../interleave.js';
import type { HttpLoop } from '../load/http-loop.js';
import type { Judged } from '../load/whole-run.js';
import { figure } from '../result.js';
import { summarize } from '../statistics.js';
import { lateSteps } from './phases.js';

const concurrency = 16;

/**
 * How many requests a second the laws get through in a long run, against a loop that judges nothing. Only the laws that run beside each
 * other: those that move the clock or give wrong credentials wait for one another on purpose.
 */
export async function measureRequestRate(bench: Bench): Promise<void> {
  const { results, rounds, options, spec } = bench;
  bench.log('lawsRequestRateVsRawClient');
  const server = await bench.start<{ url: string; clock: string }>('servers/reference.ts', { clock: 'manual' });
  const judge = await bench.start<object>('load/whole-run.ts');
  const loop = await bench.start<object>('load/http-loop.ts');
  const { url } = server.ready;
  const runs = options.quick ? 30 : 200;
  const cpu: { laws: number[]; loop: number[] } = { laws: [], loop: [] };
  const rate = (side: keyof typeof cpu, { requests, seconds, cpuSeconds }: Omit<Judged, 'verdict'>) => {
    cpu[side].push((cpuSeconds * 1000) / requests);
    return requests / seconds;
  };
  const given = users.map(({ id, paraphrase }) => `${id}:${paraphrase}`);
  const judging = { baseUrl: url, collections, users: given, engine: 'laws', runs, concurrency, skip: lateSteps() };
  const job: HttpLoop = {
    url: `${url}/books`,
    concurrency,
    seconds: bench.burstSeconds,
    headers: { [spec.protocol.headers.authorization]: authorizationOf(spec) },
    names: spec.protocol.headers,
  };
  const works = {
    laws: async () => rate('laws', await judge.ask<Judged>(judging)),
    loop: async () => rate('loop', await loop.ask<Judged>(job)),
  };
  // In a long run all that is done often has been compiled.
  await judge.ask<Judged>({ ...judging, runs: runs * 4 });
  await works.loop();
  cpu.laws.length = 0;
  cpu.loop.length = 0;
  const rates = await interleave(rounds * 2 + 1, works);
  results.figures.push(
    figure('lawsRequestRateVsRawClient', 'requests a second of the laws against a node:http loop', quotients(rates.laws, rates.loop), {
      goal: { atLeast: 0.75 },
      raw: {
        lawsPerSecond: summarize(rates.laws),
        httpLoopPerSecond: summarize(rates.loop),
        lawsCpuMsPerRequest: summarize(cpu.laws),
        httpLoopCpuMsPerRequest: summarize(cpu.loop),
      },
    }),
  );
}
