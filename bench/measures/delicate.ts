import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foreignServers, users as foreignUsers, startForeign } from '../../fixtures/foreign/start.js';
import { needs, underFaketime } from '../../fixtures/test/needs.js';
import { type Bench, collections, users } from '../bench.js';
import { cli } from '../build.js';
import { figure } from '../result.js';
import { timeCommand } from '../time-command.js';

const perSecond = 20;
const roundTripMs = 150;

interface Judged {
  readonly requests: number;
  readonly seconds: number;
  readonly untested: number;
}

/** Whole runs on targets that are limited, far away, or under libfaketime; once each, because they take minutes. */
export async function measureDelicate(bench: Bench): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hydrauth-bench-'));
  const report = join(folder, 'report.json');
  const given = users.map(({ id, paraphrase }) => `${id}:${paraphrase}`);
  const judge = async (url: string, clock: string, who: readonly string[], names: readonly string[]): Promise<Judged> => {
    const seconds = await timeCommand([cli, 'check', url, '--collection', ...names, '--clock', clock, '--json', report], {
      HYDRAUTH_USERS: who.join('\n'),
    });
    const { requests, requirements } = JSON.parse(readFileSync(report, 'utf8')) as {
      requests: number;
      requirements: { outcome: string }[];
    };
    return { requests, seconds, untested: requirements.filter(({ outcome }) => outcome === 'untested').length };
  };
  try {
    await measureLimit(bench, (url, clock) => judge(url, clock, given, collections));
    await measureDistance(bench, (url, clock) => judge(url, clock, given, collections));
    await measureFaketime(bench, folder, (url, clock) => judge(url, clock, foreignUsers, ['drones', 'people']));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Judge = (url: string, clock: string) => Promise<Judged>;
interface Ready {
  readonly url: string;
  readonly clock: string;
}

async function measureLimit({ results, start, log }: Bench, judge: Judge): Promise<void> {
  log('limitedRun');
  const run = async (limit: number) => {
    const { ready } = await start<Ready>('servers/reference.ts', { clock: 'manual', perSecond: limit });
    return judge(ready.url, ready.clock);
  };
  const [without, within] = [await run(1e9), await run(perSecond)];
  const what = `a limit of ${perSecond} a second, against requests over ${perSecond}`;
  const raw = { without, within, untestedThroughIt: within.untested - without.untested };
  const quotient = within.seconds / (without.requests / perSecond);
  results.figures.push(figure('limitedRun', what, [quotient], { goal: { atMost: 1.15 }, raw }));
}

async function measureDistance({ results, start, log }: Bench, judge: Judge): Promise<void> {
  log('delayVsLoopback');
  const server = await start<Ready>('servers/reference.ts', { clock: 'manual' });
  const { port, pathname } = new URL(server.ready.url);
  const delay = await start<{ port: number }>('servers/delay.ts', { port: Number(port), roundTripMs });
  const raw = await judge(`http://127.0.0.1:${delay.ready.port}${pathname}`, server.ready.clock);
  const what = `a whole run at ${roundTripMs} ms, in round trips that wait for each other`;
  results.figures.push(figure('delayVsLoopback', what, [raw.seconds / (roundTripMs / 1000)], { goal: { atMost: 60 }, raw }));
}

/** Servers whose time libfaketime changes, each against itself with a clock of its own. */
const faked = [
  { name: 'faketimeRun', id: 'threaded', program: 'python3', what: "Python's threaded server" },
  { name: 'faketimeRunFlask', id: 'flask', program: 'python3-flask', what: 'Flask' },
  { name: 'faketimeRunJava', id: 'java-elaborate', program: 'java 17', what: "Java's own server" },
] as const;

async function measureFaketime({ results, log }: Bench, folder: string, judge: Judge): Promise<void> {
  const faketime = needs('libfaketime');
  for (const { name, id, program, what: server } of faked) {
    log(name);
    const what = `${server} under libfaketime, against the same with a clock of its own`;
    const { skip, path } = needs(program);
    const started = foreignServers.find((each) => each.id === id);
    if (faketime.skip || skip || started === undefined) {
      results.figures.push({ name, what, skipped: `libfaketime or ${program} is not installed` });
      continue;
    }
    const file = join(folder, 'offset');
    writeFileSync(file, '+0\n');
    const own = await startForeign(started, path);
    const plain = await judge(own.url, own.clock);
    await own.stop();
    const changed = await startForeign({ ...started, env: { ...started.env, ...underFaketime(faketime.path, file) } }, path);
    const under = await judge(changed.url, `faketime:${file}`);
    await changed.stop();
    results.figures.push(figure(name, what, [under.seconds / plain.seconds], { goal: { atMost: 3 }, raw: { plain, under } }));
  }
}
