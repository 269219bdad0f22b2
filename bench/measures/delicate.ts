import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, checking } from '../bench.js';
import { timeCommand } from '../build.js';
import { figure } from '../figures.js';

const perSecond = 20;
const roundTripMs = 150;

interface Ready {
  readonly url: string;
  readonly clock: string;
}

/** Whole runs on targets that are limited or far away; once each, because they take minutes. */
export async function measureDelicate({ figures, start, log }: Bench): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hydrauth-bench-'));
  const judge = async ({ url, clock }: Ready, engine: 'laws' | 'all') => {
    const report = join(folder, 'report.json');
    const seconds = await timeCommand([...checking(url, clock), '--engine', engine, '--json', report]);
    const { requests, depth, requirements } = JSON.parse(readFileSync(report, 'utf8'));
    const untested = requirements.filter(({ outcome }: { outcome: string }) => outcome === 'untested').length as number;
    return { seconds, requests: requests as number, depth: depth as number, untested };
  };
  try {
    log('limitedRun');
    const within = async (limit: number) =>
      judge((await start<Ready>('servers/reference.ts', { clock: 'manual', perSecond: limit })).ready, 'all');
    const [free, limited] = [await within(1e9), await within(perSecond)];
    figures.push(figure('requests', 'requests of a run with two users and both engines', [free.requests], { goal: { atMost: 1500 } }));
    const what = `a limit of ${perSecond} a second, against requests over ${perSecond}`;
    const raw = { free, limited, untestedThroughIt: limited.untested - free.untested };
    figures.push(figure('limitedRun', what, [limited.seconds / (free.requests / perSecond)], { goal: { atMost: 1.15 }, raw }));
    const { ready } = await start<Ready>('servers/reference.ts', { clock: 'manual' });
    const { port, pathname } = new URL(ready.url);
    const delay = await start<{ port: number }>('servers/delay.ts', { port: Number(port), roundTripMs });
    const distant = { url: `http://127.0.0.1:${delay.ready.port}${pathname}`, clock: ready.clock };
    for (const [engine, atMost, name] of [['laws', 90, 'depthOfLaws'] as const, ['all', 150, 'depth'] as const]) {
      log(name);
      const far = await judge(distant, engine);
      const waits = `requests that wait for each other at ${roundTripMs} ms, ${engine === 'laws' ? 'laws alone' : 'both engines'}`;
      figures.push(figure(name, waits, [far.depth], { goal: { atMost }, raw: far }));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
