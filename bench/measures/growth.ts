import type { Bench } from '../bench.js';
import { type Child, startChild } from '../children.js';
import type { Judged } from '../load/whole-run.js';
import type { Growth } from '../result.js';
import { quantile } from '../statistics.js';

type Running = Child<{ readonly url: string; readonly clock: string }>;

const names = (count: number) => Array.from({ length: count }, (_, at) => `collection${at + 1}`);
const accounts = (count: number) => Array.from({ length: count }, (_, at) => ({ id: at + 1, paraphrase: `paraphrase number ${at + 1}` }));

interface Asked {
  readonly collections: number;
  readonly users: number;
  readonly runs: number;
  readonly latencyMs: number;
}
const usual: Asked = { collections: 1, users: 1, runs: 10, latencyMs: 0 };

/** How requests and time of a run grow with what the user asks for, laws only and with both engines under latency. */
export async function measureGrowth(bench: Bench): Promise<void> {
  const { options, results } = bench;
  const judge = await bench.start<object>('load/whole-run.ts');
  const repeats = options.quick ? 1 : 3;
  await judgeOnce(judge, usual, 'laws');
  const along = async (name: string, unit: string, key: keyof Asked, values: readonly number[], engine: 'laws' | 'all' = 'laws') => {
    bench.log(`growth with ${name}`);
    const points: Growth['points'][number][] = [];
    for (const at of values) {
      const runs: Judged[] = [];
      for (let repeat = 0; repeat < (key === 'latencyMs' ? 1 : repeats); repeat++)
        runs.push(await judgeOnce(judge, { ...usual, [key]: at }, engine));
      const middle = (value: (run: Judged) => number) =>
        quantile(
          runs.map(value).sort((one, other) => one - other),
          0.5,
        );
      points.push({ at, requests: middle((run) => run.requests), seconds: middle((run) => run.seconds) });
    }
    results.growth.push({ name, unit, points });
  };
  await along('collections', 'collection', 'collections', options.quick ? [1, 5] : [1, 5, 10]);
  await along('users', 'user', 'users', options.quick ? [1, 5] : [1, 5, 10]);
  await along('--runs', 'run', 'runs', options.quick ? [5, 10] : [5, 10, 20, 40]);
  await along('latency, laws', 'ms', 'latencyMs', options.quick ? [0, 20] : [0, 20, 150]);
  await along('latency, both engines', 'ms', 'latencyMs', options.quick ? [0, 20] : [0, 20, 150], 'all');
}

async function judgeOnce(judge: Child<object>, asked: Asked, engine: 'laws' | 'all'): Promise<Judged> {
  const users = accounts(asked.users);
  const server: Running = await startChild('servers/reference.ts', { clock: 'manual', collections: names(asked.collections), users });
  const delays: Child<{ port: number }>[] = [];
  const slowed = async (address: string) => {
    if (asked.latencyMs === 0) return address;
    const url = new URL(address);
    const delay = await startChild<{ port: number }>('servers/delay.ts', { port: Number(url.port), roundTripMs: asked.latencyMs });
    delays.push(delay);
    url.port = String(delay.ready.port);
    return url.href;
  };
  const judged = await judge.ask<Judged>({
    baseUrl: await slowed(server.ready.url),
    clock: await slowed(server.ready.clock),
    collections: names(asked.collections),
    users,
    runs: asked.runs,
    seed: 1,
    engine,
  });
  for (const child of [server, ...delays]) await child.stop();
  if (judged.verdict !== 'conformant') throw new Error(`the reference server was found ${judged.verdict} (${JSON.stringify(asked)})`);
  return judged;
}
