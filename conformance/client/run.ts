import type { Spec } from '../../spec/index.js';
import { inParallel } from '../parallel.js';
import { recorder } from '../recording/index.js';
import type { Report, VerdictInput } from '../report/index.js';
import { isClockMove } from '../wire/index.js';
import { commandClient, type DrivenClient, driverClient, functionClient } from './driving/index.js';
import { type Enacted, enact } from './enact.js';
import { failsIn, findingsOf, observationOf } from './findings.js';
import { ending } from './judging/index.js';
import { type ClientConformanceOptions, type ClientSettings, validateClientOptions } from './options.js';
import { clientReport } from './report.js';
import { alone, type Scenario, scenarios } from './scenarios.js';

/** Judges a client and gives the report. Rejects only for options that cannot be used. */
export async function runClientConformance(options: ClientConformanceOptions): Promise<Report> {
  const settings = validateClientOptions(options);
  const { signal, onProgress } = options;
  const { spec, selected, target } = settings;
  const startedAt = new Date();
  const client = drivenBy(settings);
  const interrupt = () => void client.close();
  signal?.addEventListener('abort', interrupt);
  const [plain, ...others] = scenarios as [Scenario, ...Scenario[]];
  const wanted = others.filter(({ rows }) => rows.some((row) => selected.has(row)));
  let done = 0;
  const go = async (scenario: Scenario, saysOnlyFailure = false) => {
    const enacted = await enact(scenario, client, spec, saysOnlyFailure);
    onProgress?.({ done: ++done, total: Math.max(done, wanted.length + 1), what: scenario.id });
    return enacted;
  };
  const isOver = () => signal?.aborted === true;
  const all: Enacted[] = [];
  let error: string | undefined;
  try {
    const first = await go(plain);
    all.push(first);
    error = hindrance(first);
    if (error === undefined) {
      const { said } = first.seen;
      const inAll = (list: readonly Scenario[]) => inParallel(list, client.jobs, (each) => go(each, said === 'failure'), isOver);
      for (const enacted of await inAll(wanted)) all.push(...(await narrowed(enacted, inAll)));
    }
  } finally {
    signal?.removeEventListener('abort', interrupt);
    await client.close();
  }
  return clientReport(settings, {
    ...{ engine: 'scenarios', target, startedAt, error },
    traffic: all.map(({ seen }) => seen),
    findings: (row) => findingsOf(row, all, error),
    observation: (row) => observationOf(row, all),
    interrupted: isOver(),
    remarks: [...new Set(all.flatMap(({ result }) => result.remark ?? []))],
    ...(settings.record === undefined ? {} : { recorded: recordScenarios(all, spec, settings.record) }),
  });
}

/** Writes all scenarios as one recording, with what was found. */
function recordScenarios(all: readonly Enacted[], { protocol }: Spec, file: string) {
  const users = all.flatMap(({ seen }) => seen.users.map(({ id, paraphrase }) => ({ id: String(id), paraphrase })));
  const recording = recorder({ file, protocol, users, baseUrl: new URL('http://127.0.0.1') });
  for (const { log, scenario } of all) {
    let atMs = 0;
    for (const link of log.chainTo(undefined, Number.POSITIVE_INFINITY)) {
      if (isClockMove(link)) recording.moved(link.advancedMs, atMs);
      else recording.note(link, { scenario: scenario.id });
      if (!isClockMove(link)) atMs = link.sentAtMs + link.durationMs;
    }
  }
  return ({ spec: _, selected, ...concluded }: VerdictInput) => recording.close({ client: { ...concluded, selected: [...selected] } });
}

function drivenBy(settings: ClientSettings): DrivenClient {
  const { way, client, words } = settings;
  if (client !== undefined) return functionClient(client, settings);
  return way === 'driver' ? driverClient(words, settings) : commandClient(words, settings);
}

/** Why no further scenario is tried: the client did not manage the plain one. */
function hindrance({ seen, result }: Enacted): string | undefined {
  const sentNothing = seen.acts.length === 0 ? ' It sent no request to the service.' : '';
  if (result.trouble !== undefined) return `${result.trouble}${sentNothing}`;
  if (sentNothing !== '') return ['The client sent no request to the base URL that it was given.', result.ended ?? ''].join(' ').trim();
  return seen.completed ? undefined : `The client could not read one address, so nothing else was tried: ${ending(seen)}.`;
}

/** Where a client fails on a service with several variants, each variant is tried alone, and those on which it fails are told instead. */
async function narrowed(enacted: Enacted, run: (list: readonly Scenario[]) => Promise<Enacted[]>): Promise<Enacted[]> {
  const isFailed = (each: Enacted) => each.scenario.rows.some((row) => failsIn(row, each));
  const single = isFailed(enacted) ? alone(enacted.scenario) : [];
  const failed = single.length === 0 ? [] : (await run(single)).filter(isFailed);
  return failed.length === 0 ? [enacted] : failed;
}
