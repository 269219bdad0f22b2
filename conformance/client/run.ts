import { count, type Spec } from '../../spec/index.js';
import type { Finding, Observation } from '../finding.js';
import { inParallel } from '../parallel.js';
import { recorder } from '../recording/index.js';
import type { Report, VerdictInput } from '../report/index.js';
import { isClockMove } from '../wire/index.js';
import { commandClient, type DrivenClient, driverClient, functionClient, type TaskResult } from './driving.js';
import { ending, judges, observers, type Seen } from './judges.js';
import { type ClientConformanceOptions, type ReadRequest, validateClientOptions } from './options.js';
import { clientReport, findingOf } from './report.js';
import { judgeTraffic, outputRule, pairRule, type Ruling, rules, untested } from './rules.js';
import { alone, requestsOf, type Scenario, scenarios } from './scenarios.js';
import { openStage } from './stage.js';
import { pathOf, readTraffic, type Traffic } from './traffic.js';

/** Judges a client and gives the report. Rejects only for options that cannot be used. */
export async function runClientConformance(options: ClientConformanceOptions): Promise<Report> {
  const settings = validateClientOptions(options);
  const { signal, onProgress, command = [], driver } = options;
  const { spec, selected, target } = settings;
  const jobs = driver === undefined ? settings.jobs : 1;
  const startedAt = new Date();
  const driven = driver === undefined ? commandClient(command, settings) : driverClient(driver, settings);
  const client = options.client === undefined ? driven : functionClient(options.client, settings);
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
      const { said } = first;
      const inAll = (list: readonly Scenario[]) => inParallel(list, jobs, (each) => go(each, said === 'failure'), isOver);
      for (const enacted of await inAll(wanted)) all.push(...(await narrowed(enacted, inAll)));
    }
  } finally {
    signal?.removeEventListener('abort', interrupt);
    await client.close();
  }
  return clientReport(settings, {
    ...{ engine: 'scenarios', target, startedAt, error },
    traffic: all,
    findings: (row) => findingsOf(row, all, error && `. ${error}`),
    observation: (row) => observationOf(row, all),
    interrupted: isOver(),
    remarks: [...new Set(all.flatMap(({ result }) => result.remark ?? []))],
    ...(settings.record === undefined ? {} : { recorded: recordScenarios(all, spec, settings.record) }),
  });
}

function recordScenarios(all: readonly Enacted[], { protocol }: Spec, file: string) {
  const users = all.flatMap((each) => each.users.map(({ id, paraphrase }) => ({ id: String(id), paraphrase })));
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

/** Why no further scenario is tried: the client did not manage the plain one. */
function hindrance(enacted: Enacted): string | undefined {
  const { acts, result, completed } = enacted;
  const sentNothing = acts.length === 0 ? ' It sent no request to the service.' : '';
  if (result.trouble !== undefined) return `${result.trouble}${sentNothing}`;
  if (sentNothing !== '') return ['The client sent no request to the base URL that it was given.', result.ended ?? ''].join(' ').trim();
  return completed ? undefined : `The client could not read one address, so nothing else was tried: ${ending(enacted)}.`;
}

/** Where a client fails on a service with several variants, each variant is tried alone, and those on which it fails are told instead. */
async function narrowed(enacted: Enacted, run: (list: readonly Scenario[]) => Promise<Enacted[]>): Promise<Enacted[]> {
  const isFailed = (each: Enacted) => each.scenario.rows.some((row) => failsIn(row, each));
  const single = isFailed(enacted) ? alone(enacted.scenario) : [];
  const failed = single.length === 0 ? [] : (await run(single)).filter(isFailed);
  return failed.length === 0 ? [enacted] : failed;
}

/** A scenario that was gone through with a client. */
type Enacted = Awaited<ReturnType<typeof enact>>;

/** Sets the stage, has the client do what the scenario asks, and reads what was seen. */
async function enact(scenario: Scenario, client: DrivenClient, spec: Spec, saysOnlyFailure = false) {
  const stopping = new AbortController();
  const stage = await openStage(scenario.service ?? {}, spec, () => stopping.abort());
  const { site, user, log } = stage;
  const steps = requestsOf(scenario, site);
  let result: TaskResult;
  try {
    result = await client.run({ scenario: scenario.id, url: site.base, user, steps, stop: stopping.signal });
  } finally {
    await stage.close();
  }
  const { trouble, said, output } = result;
  const traffic = readTraffic(log, { user, ended: trouble === undefined, output });
  const asked = steps.flat();
  const ofService = asked.filter(({ url }) => url !== site.elsewhere);
  const seen: Seen = {
    ...{ ...traffic, site, asked, completed: isCompleted(ofService, traffic) },
    said: said === undefined || (saysOnlyFailure && said === 'failure') ? 'unknown' : said,
  };
  const judged = [...rules, pairRule(scenario.credentialsRow), outputRule].filter(
    ({ row, tellsOnly }) => tellsOnly !== true && scenario.leavesOut?.includes(row) !== true,
  );
  return { ...seen, scenario, result, byRules: judgeTraffic(judged, traffic) };
}

/** Whether each of these requests was answered with its resource, as often as it was asked for. */
function isCompleted(asked: readonly ReadRequest[], { acts }: Traffic): boolean {
  const served = acts.filter(({ became }) => became === 'served').map((act) => `${act.request.method} ${pathOf(act)}`);
  return asked.every(({ url, method = 'GET' }) => {
    const place = served.indexOf(`${method} ${new URL(url).pathname}`);
    if (place >= 0) served.splice(place, 1);
    return place >= 0;
  });
}

/** What the scenarios say of one row: each by itself where it judges it, and together where it is judged on all traffic. */
function findingsOf(row: string, all: readonly Enacted[], why = ': no scenario got that far.'): Finding[] {
  const judged = all.filter(({ scenario }) => row in judges && scenario.rows.includes(row));
  const findings = [...judged.map((each) => findingOf(row, 'scenarios', rulingOf(row, each, all), each)), ...byRules(row, all)];
  if (findings.length > 0) return withoutRepetition(findings);
  return [findingOf(row, 'scenarios', untested(`Not exercised${why}`))];
}

/** So many scenarios in which a row fails are told; of the others only how many there are. */
const mostTold = 3;

function withoutRepetition(findings: Finding[]): Finding[] {
  const failed = findings.filter(({ outcome }) => outcome === 'fail').sort((one, other) => (one.check < other.check ? -1 : 1));
  if (failed.length <= mostTold) return findings;
  const rate = { failed: failed.length, of: findings.filter(({ outcome }) => outcome !== 'untested').length };
  const message = `${failed[0]?.message} The same in ${count(failed.length - mostTold, 'more scenario')} that ${failed.length === mostTold + 1 ? 'is' : 'are'} not listed.`;
  const told = failed.slice(0, mostTold).map((each, index) => ({ ...each, rate, ...(index === 0 ? { message } : {}) }));
  return [...told, ...findings.filter(({ outcome }) => outcome !== 'fail')];
}

/** What a client was hindered from, or what another row tells, says nothing of this one. */
function rulingOf(row: string, enacted: Enacted, all: readonly Enacted[] = []): Ruling {
  const { scenario, result, log } = enacted;
  if (result.unsupported !== undefined) return untested(result.unsupported);
  if (result.trouble !== undefined && !log.overrun) return untested(result.trouble);
  const missing = scenario.buildsOn?.find((needed) => all.some((each) => isViolated(needed, each)));
  if (missing !== undefined) return untested(`This needs ${missing}, which fails.`);
  const ruling = judges[row]?.(enacted) ?? untested();
  const cause = enacted.byRules.find(({ violations }) => violations.length > 0);
  if (cause === undefined || !ruling.violations.some(({ mayFollow }) => mayFollow)) return ruling;
  return untested(`The failure is reported under ${cause.row}.`);
}

const failsIn = (row: string, enacted: Enacted): boolean =>
  row in judges && enacted.scenario.rows.includes(row) && rulingOf(row, enacted).violations.length > 0;

function isViolated(row: string, enacted: Enacted): boolean {
  return enacted.byRules.some((each) => each.row === row && each.violations.length > 0) || failsIn(row, enacted);
}

/** One finding for all scenarios; of a violation the first that shows it. */
function byRules(row: string, all: readonly Enacted[]): Finding[] {
  const results = all.flatMap(({ byRules: said, scenario, log }) =>
    said.filter((each) => each.row === row).map((result) => ({ ...result, scenario, log })),
  );
  const tried = results.filter((each) => each.tried > 0);
  const violated = tried.filter(({ violations }) => violations.length > 0);
  const [first] = violated;
  const requests = tried.reduce((sum, each) => sum + each.tried, 0);
  const restsOn = `${count(requests, 'request')} in ${count(tried.length, 'scenario')}`;
  const because = results.find((each) => each.because !== undefined)?.because;
  if (requests === 0 && because === undefined) return [];
  const ruling = { tried: requests, violations: first?.violations ?? [], restsOn, because };
  return [findingOf(row, 'scenarios', ruling, first, { failed: violated.length, of: tried.length })];
}

function observationOf(requirement: string, all: readonly Enacted[]): Observation {
  for (const enacted of all) {
    const { scenario, result } = enacted;
    if (!scenario.rows.includes(requirement) || result.trouble !== undefined || result.unsupported !== undefined) continue;
    const answer = observers[requirement]?.(enacted);
    if (answer !== undefined) return { requirement, answer, evidence: scenario.given };
  }
  return { requirement, answer: 'not observed', evidence: 'No scenario showed this.' };
}
