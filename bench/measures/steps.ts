import { authorizationOf, type Bench, user } from '../bench.js';
import { startChild } from '../children.js';
import { interleave, quotients } from '../interleave.js';
import { type Figure, figure, type Goal } from '../result.js';
import { collectionDocument, recordAnswers } from '../samples.js';
import { summarize } from '../statistics.js';
import { type Load, loadChallenge, loadExchange, loadTokenUse, type Served, takeToken } from './step-loads.js';

/** The machine is faster at one time than at another: many short bursts by turns meet that alike, where few long ones do not. */
const slices = 4;

/** The three steps through the plugin, each against bare Hapi that answers the same octets. */
export async function measureSteps(bench: Bench): Promise<void> {
  const { spec, results, options } = bench;
  const burstSeconds = bench.burstSeconds / slices;
  const plugin: Served = await startChild('servers/plugin.ts', { user: { ...user, id: Number(user.id) }, document: collectionDocument });
  const answers = await recordAnswers(plugin.ready.url, authorizationOf(spec), spec);
  const bare: Served = await startChild('servers/bare-hapi.ts', { answers, user, headers: spec.protocol.headers });
  const same = await recordAnswers(bare.ready.url, authorizationOf(spec), spec);
  bench.results.also['differencesInOctets'] = differences(answers, same);

  const tokens = new Map([
    [plugin, await takeToken(bench, plugin)],
    [bare, await takeToken(bench, bare)],
  ]);
  const exchanges = (options.quick ? 8000 : 12_000) / slices;
  const steps: readonly [name: string, what: string, goal: Goal, work: (server: Served) => Promise<Load>][] = [
    [
      'tokenUseVsBareHapi',
      'Step C, requests a second against bare Hapi',
      { atLeast: 0.95 },
      (server) => loadTokenUse(bench, server, tokens.get(server) as string, burstSeconds),
    ],
    [
      'challengeVsBareHapi',
      'Step A, requests a second against bare Hapi',
      { atLeast: 0.95 },
      (server) => loadChallenge(bench, server, { seconds: burstSeconds }),
    ],
    [
      'exchangeVsBareHapi',
      'Step B, requests a second against bare Hapi',
      { atLeast: 0.8 },
      (server) => loadExchange(bench, server, exchanges),
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
    return load.perSecond;
  };
  // The first bursts compile the code; they do not count.
  await work(plugin);
  await work(bare);
  const rates = await interleave(slices * bench.rounds, { plugin: noting('plugin', plugin), bareHapi: noting('bareHapi', bare) });
  const about = (side: keyof typeof loads) => ({
    perSecond: summarize(loads[side].map((each) => each.perSecond)),
    p50Ms: summarize(loads[side].map((each) => each.p50Ms)),
    p99Ms: summarize(loads[side].map((each) => each.p99Ms)),
    serverCpuMsPerRequest: summarize(loads[side].map((each) => each.serverCpuMsPerRequest)),
  });
  const cpu = (side: keyof typeof loads) => loads[side].map((each) => each.serverCpuMsPerRequest);
  return figure(name, what, quotients(rates.plugin, rates.bareHapi), {
    goal,
    raw: {
      plugin: about('plugin'),
      bareHapi: about('bareHapi'),
      byServerCpu: summarize(quotients(cpu('bareHapi'), cpu('plugin'))),
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
