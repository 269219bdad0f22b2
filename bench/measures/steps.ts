import { authorizationOf, type Bench, user } from '../bench.js';
import { startChild } from '../children.js';
import { interleave, quotients } from '../interleave.js';
import { type Figure, figure, type Goal } from '../result.js';
import { collectionDocument, recordAnswers } from '../samples.js';
import { summarize } from '../statistics.js';
import { type Load, loadChallenge, loadExchange, loadTokenUse, type Served, takeToken } from './step-loads.js';

/** The machine is faster at one time than at another: many short bursts by turns meet that alike, where few long ones do not. */
const burstsARound = 16;
const requestsABurst = 1500;

/**
 * The three steps through the plugin, each against bare Hapi that answers the same octets. Counted is the processor time of the server
 * alone: one that is busy answers as many requests a second as it has time for, and a host that has others to serve takes none of it away.
 */
export async function measureSteps(bench: Bench): Promise<void> {
  const { spec, results } = bench;
  const plugin: Served = await startChild('servers/plugin.ts', { user: { ...user, id: Number(user.id) }, document: collectionDocument });
  const answers = await recordAnswers(plugin.ready.url, authorizationOf(spec), spec);
  const bare: Served = await startChild('servers/bare-hapi.ts', { answers, user, headers: spec.protocol.headers });
  const same = await recordAnswers(bare.ready.url, authorizationOf(spec), spec);
  bench.results.also['differencesInOctets'] = differences(answers, same);

  const tokens = new Map([
    [plugin, await takeToken(bench, plugin)],
    [bare, await takeToken(bench, bare)],
  ]);
  const steps: readonly [name: string, what: string, goal: Goal, work: (server: Served) => Promise<Load>][] = [
    [
      'tokenUseVsBareHapi',
      'Step C, requests a second of processor time against bare Hapi',
      { atLeast: 0.95 },
      (server) => loadTokenUse(bench, server, tokens.get(server) as string, { count: requestsABurst }),
    ],
    [
      'challengeVsBareHapi',
      'Step A, requests a second of processor time against bare Hapi',
      { atLeast: 0.95 },
      (server) => loadChallenge(bench, server, { count: requestsABurst }),
    ],
    [
      'exchangeVsBareHapi',
      'Step B, requests a second of processor time against bare Hapi',
      { atLeast: 0.8 },
      (server) => loadExchange(bench, server, requestsABurst),
    ],
  ];
  for (const [name, what, goal, work] of steps) {
    bench.log(name);
    results.figures.push(await sideBySide(bench, name, what, goal, plugin, bare, work));
  }
  await plugin.stop();
  await bare.stop();
}

async function sideBySide(
  bench: Bench,
  name: string,
  what: string,
  goal: Goal,
  plugin: Served,
  bare: Served,
  work: (server: Served) => Promise<Load>,
): Promise<Figure> {
  const loads: Record<'plugin' | 'bareHapi', Load[]> = { plugin: [], bareHapi: [] };
  const noting = (side: keyof typeof loads, server: Served) => async () => {
    const load = await work(server);
    loads[side].push(load);
    return 1 / load.serverCpuMsPerRequest;
  };
  // The first bursts compile the code; they do not count.
  for (let burst = 0; burst < burstsARound; burst++) for (const server of [plugin, bare]) await work(server);
  const rates = await interleave(burstsARound * bench.rounds, { plugin: noting('plugin', plugin), bareHapi: noting('bareHapi', bare) });
  const perSecond = (side: keyof typeof loads) => loads[side].map((each) => each.perSecond);
  const about = (side: keyof typeof loads) => ({
    perSecond: summarize(perSecond(side)),
    p50Ms: summarize(loads[side].map((each) => each.p50Ms)),
    p99Ms: summarize(loads[side].map((each) => each.p99Ms)),
    serverCpuMsPerRequest: summarize(loads[side].map((each) => each.serverCpuMsPerRequest)),
  });
  return figure(name, what, quotients(rates.plugin, rates.bareHapi), {
    goal,
    raw: {
      plugin: about('plugin'),
      bareHapi: about('bareHapi'),
      bySecondsPassed: summarize(quotients(perSecond('plugin'), perSecond('bareHapi'))),
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
