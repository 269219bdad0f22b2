import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, checking } from '../bench.js';
import { root, timeCommand } from '../build.js';
import type { Ready } from '../servers.js';

const perSecond = 20;

/** Whole runs on targets that are limited or far away; once each, because they take minutes. */
export async function measureDelicate({ add, serve, log }: Bench): Promise<void> {
  const report = join(root, '.cache', 'bench', 'report.json');
  const judge = async (ready: Ready, engine: 'laws' | 'all') => {
    const seconds = await timeCommand([...checking(ready), '--engine', engine, '--json', report]);
    const { requests, depth, requirements } = JSON.parse(readFileSync(report, 'utf8'));
    const untested = requirements.filter(({ outcome }: { outcome: string }) => outcome === 'untested').length as number;
    return { seconds, requests: requests as number, depth: depth as number, untested };
  };
  log('limitedRun');
  const within = async (limit: number) => judge((await serve('reference', { clock: 'manual', perSecond: limit })).ready, 'all');
  const [free, limited] = [await within(1e9), await within(perSecond)];
  add('requests', [free.requests]);
  const raw = { free, limited, untestedThroughIt: limited.untested - free.untested };
  add('limitedRun', [limited.seconds / (free.requests / perSecond)], raw);
  const { ready } = await serve('reference', { clock: 'manual' });
  const distant = { ...ready, ...(await serve('distant', { baseUrl: ready.url, roundTripMs: 150 })).ready };
  for (const [engine, name] of [['laws', 'depthOfLaws'] as const, ['all', 'depth'] as const]) {
    log(name);
    const far = await judge(distant, engine);
    add(name, [far.depth], far);
  }
}
