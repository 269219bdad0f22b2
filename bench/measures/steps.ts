import { authorizationOf, type Bench, user } from '../bench.js';
import { startChild } from '../children.js';
import { interleave, quotients } from '../interleave.js';
import { type Figure, figure } from '../result.js';
import { collectionDocument, recordAnswers } from '../samples.js';
import { summarize } from '../statistics.js';
import { type Load, loadChallenge, loadExchange, loadTokenUse, type Served, takeToken } from './step-loads.js';

/** The machine is faster at one time than at another: many short bursts by turns meet that alike, where few long ones do not. */
const requestsABurst = 1500;
/** The first bursts compile the code, and do not count. */
const bursts = { first: 16, counted: 8 };
/** V8 compiles the same code to faster or slower code by chance, and keeps to it: two processes differ by a tenth. */
const pairsARound = 3;

type Side = 'plugin' | 'bareHapi';
interface Server extends Served {
  readonly token: string;
}

interface Step {
  readonly name: string;
  readonly sign: string;
  readonly atLeast: number;
  readonly load: (bench: Bench, server: Server) => Promise<Load>;
}

const count = requestsABurst;
const steps: readonly Step[] = [
  { name: 'tokenUseVsBareHapi', sign: 'C', atLeast: 0.95, load: (bench, server) => loadTokenUse(bench, server, server.token, { count }) },
  { name: 'challengeVsBareHapi', sign: 'A', atLeast: 0.95, load: (bench, server) => loadChallenge(bench, server, { count }) },
  { name: 'exchangeVsBareHapi', sign: 'B', atLeast: 0.8, load: (bench, server) => loadExchange(bench, server, count) },
];

/**
 * The three steps through the plugin, each against bare Hapi that answers the same octets. Counted is the processor time of the server
 * alone: one that is busy answers as many requests a second as it has time for, and a host that has others to serve takes none of it away.
 * One quotient comes from each pair of new processes.
 */
export async function measureSteps(bench: Bench): Promise<void> {
  const pairs: Record<Side, Load[]>[][] = steps.map(() => []);
  const all = pairsARound * bench.rounds;
  for (let pair = 1; pair <= all; pair++) {
    bench.log(`three steps, pair ${pair} of ${all}`);
    const servers = await startBoth(bench);
    for (const [index, step] of steps.entries()) pairs[index]?.push(await byTurns(bench, step, servers));
    for (const server of Object.values(servers)) await server.stop();
  }
  for (const [index, step] of steps.entries()) bench.results.figures.push(figureOf(step, pairs[index] ?? []));
}

async function startBoth(bench: Bench): Promise<Record<Side, Server>> {
  const { spec } = bench;
  const plugin: Served = await startChild('servers/plugin.ts', { user: { ...user, id: Number(user.id) }, document: collectionDocument });
  const answers = await recordAnswers(plugin.ready.url, authorizationOf(spec), spec);
  const bare: Served = await startChild('servers/bare-hapi.ts', { answers, user, headers: spec.protocol.headers });
  const same = await recordAnswers(bare.ready.url, authorizationOf(spec), spec);
  bench.results.also['differencesInOctets'] = differences(answers, same);
  return {
    plugin: { ...plugin, token: await takeToken(bench, plugin) },
    bareHapi: { ...bare, token: await takeToken(bench, bare) },
  };
}

async function byTurns(bench: Bench, step: Step, { plugin, bareHapi }: Record<Side, Server>): Promise<Record<Side, Load[]>> {
  const both = { plugin: () => step.load(bench, plugin), bareHapi: () => step.load(bench, bareHapi) };
  await interleave(bursts.first, both);
  return interleave(bursts.counted, both);
}

function figureOf({ name, sign, atLeast }: Step, pairs: readonly Record<Side, Load[]>[]): Figure {
  const medians = (side: Side, of: (load: Load) => number) => pairs.map((pair) => summarize(pair[side].map(of)).median);
  const cpu = (side: Side) => medians(side, (load) => load.serverCpuMsPerRequest);
  const rate = (side: Side) => medians(side, (load) => load.perSecond);
  const about = (side: Side) => ({
    perSecond: summarize(rate(side)),
    p50Ms: summarize(medians(side, (load) => load.p50Ms)),
    p99Ms: summarize(medians(side, (load) => load.p99Ms)),
    serverCpuMsPerRequest: summarize(cpu(side)),
  });
  const what = `Step ${sign}, requests a second of processor time against bare Hapi`;
  return figure(name, what, quotients(cpu('bareHapi'), cpu('plugin')), {
    goal: { atLeast },
    raw: {
      plugin: about('plugin'),
      bareHapi: about('bareHapi'),
      bySecondsPassed: summarize(quotients(rate('plugin'), rate('bareHapi'))),
    },
  });
}

/** Lines and bodies that one side sends and the other does not; empty when both answer the same octets but for order and case. */
function differences(one: object, other: object): string[] {
  const parts = (answers: object) =>
    Object.entries(answers as Record<string, { status: number; lines: [string, string][]; body: string }>).flatMap(([step, each]) => [
      `${step} ${each.status}`,
      ...each.lines.map(([name, value]) => `${step} ${name.toLowerCase()}: ${value.replace(/:\d+/, '')}`),
      `${step} ${each.body.replace(/:\d{4,}/g, '')}`,
    ]);
  const [left, right] = [parts(one), parts(other)];
  return [
    ...left.filter((part) => !right.includes(part)).map((part) => `- ${part}`),
    ...right.filter((part) => !left.includes(part)).map((part) => `+ ${part}`),
  ];
}
