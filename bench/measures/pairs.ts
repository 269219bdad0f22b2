import { needs } from '../../fixtures/test/needs.js';
import { RedisServer } from '../../reference-server/test/redis-server.js';
import { type Bench, user } from '../bench.js';
import { startChild } from '../children.js';
import { byTurns, figure, quotients, summarize } from '../figures.js';
import { recordAnswers } from '../servers/recorded.js';
import { type Load, loadChallenge, loadExchange, loadTokenUse, type Served, takeToken } from './loads.js';

/** The machine is faster at one time than at another: many short bursts by turns meet that alike, where few long ones do not. */
const count = 1500;
/** The first bursts compile the code, and do not count. */
const bursts = { first: 16, counted: 8 };

interface Server extends Served {
  readonly token: string;
}

/** What is measured on one pair of servers, by the processor time of the first against that of the second. */
interface Step {
  readonly name: string;
  readonly what: string;
  readonly atLeast: number;
  readonly load: (bench: Bench, server: Server) => Promise<Load>;
}

/** As much as a collection of the reference server has. */
const document = {
  '@context': { hydra: 'http://www.w3.org/ns/hydra/core#', schema: 'http://schema.org/' },
  '@id': '/api/books',
  '@type': 'hydra:Collection',
  'hydra:member': [1, 2, 3, 4, 5].map((number) => ({
    '@id': `/api/books/${number}`,
    '@type': 'schema:Book',
    'schema:name': `Book ${number}`,
  })),
};

const useToken: Step['load'] = (bench, server) => loadTokenUse(bench, server, server.token, count);
const bareHapi = 'requests a second of processor time against bare Hapi';
const steps: readonly Step[] = [
  { name: 'tokenUseVsBareHapi', what: `Step C, ${bareHapi}`, atLeast: 0.95, load: useToken },
  { name: 'challengeVsBareHapi', what: `Step A, ${bareHapi}`, atLeast: 0.95, load: (bench, server) => loadChallenge(bench, server, count) },
  { name: 'exchangeVsBareHapi', what: `Step B, ${bareHapi}`, atLeast: 0.8, load: (bench, server) => loadExchange(bench, server, count) },
];
const redis = { name: 'redisTokenUseVsMemory', what: 'Step C with the Redis store against the memory store', atLeast: 0.6, load: useToken };
const proxy = { name: 'proxyVsPlainProxy', what: 'hydrauth proxy against a plain node:http proxy', atLeast: 0.7, load: useToken };

/**
 * Servers in pairs of new processes. Counted is the processor time of the server alone: one that is busy answers as many requests a second
 * as it has time for, and a host that has others to serve takes none of it away. One quotient comes from each pair, because V8 compiles
 * the same code to faster or slower code by chance, and keeps to it: two processes differ by a tenth.
 */
export async function measurePairs(bench: Bench): Promise<void> {
  const { spec, figures } = bench;
  await measure(bench, 3 * bench.rounds, steps, async () => {
    const plugin: Served = await startChild('servers/plugin.ts', { user: { ...user, id: Number(user.id) }, document });
    const answers = await recordAnswers(plugin.ready.url, spec);
    return [plugin, await startChild('servers/bare-hapi.ts', { answers, user, headers: spec.protocol.headers })];
  });
  const program = needs('redis-server');
  if (program.skip) figures.push({ ...redis, skipped: 'redis-server is not installed' });
  else {
    const started = await RedisServer.start(program.path);
    await measure(bench, bench.rounds, [redis], async () => [
      await startChild('servers/reference.ts', { store: started.url }),
      await startChild('servers/reference.ts'),
    ]);
    await started.stop();
  }
  const behind: Served = await bench.start('servers/reference.ts');
  const settings = { baseUrl: behind.ready.url, user };
  const token = await takeToken(bench, behind);
  const both = async (): Promise<[Served, Served]> => [
    await startChild('servers/proxy.ts', settings),
    await startChild('servers/plain-proxy.ts', settings),
  ];
  await measure(bench, bench.rounds, [proxy], both, token);
}

async function measure(
  bench: Bench,
  pairs: number,
  taken: readonly Step[],
  start: () => Promise<[Served, Served]>,
  known?: string,
): Promise<void> {
  const cpuMs = taken.map(() => [[], []] as [number[], number[]]);
  const rates = taken.map(() => [[], []] as [number[], number[]]);
  for (let pair = 1; pair <= pairs; pair++) {
    bench.log(`${taken.map(({ name }) => name).join(', ')}: pair ${pair} of ${pairs}`);
    const [one, other] = await start();
    const served = async (server: Served): Promise<Server> => ({ ...server, token: known ?? (await takeToken(bench, server)) });
    const [first, second] = [await served(one), await served(other)];
    for (const [index, { load }] of taken.entries()) {
      const works = { first: () => load(bench, first), second: () => load(bench, second) };
      await byTurns(bursts.first, works);
      const loads = await byTurns(bursts.counted, works);
      for (const [side, each] of [loads.first, loads.second].entries()) {
        cpuMs[index]?.[side]?.push(summarize(each.map(({ cpuMsPerRequest }) => cpuMsPerRequest)).median);
        rates[index]?.[side]?.push(summarize(each.map(({ perSecond }) => perSecond)).median);
      }
    }
    await Promise.all([one.stop(), other.stop()]);
  }
  for (const [index, { name, what, atLeast }] of taken.entries()) {
    const [[of, over], [rate, ofOther]] = [cpuMs[index], rates[index]] as [[number[], number[]], [number[], number[]]];
    const raw = {
      cpuMs: [summarize(of), summarize(over)],
      bySecondsPassed: summarize(quotients(rate, ofOther)),
      perSecond: summarize(rate),
    };
    bench.figures.push(figure(name, what, quotients(over, of), { goal: { atLeast }, raw }));
  }
}
