import { count } from '../../spec/index.js';
import { createRedactor, recordChain } from '../evidence/index.js';
import { type Finding, type Observation, present } from '../finding.js';
import { learnSecrets } from '../recording/index.js';
import { makeReport, type Report, type VerdictInput } from '../report/index.js';
import type { RowSettings } from './options.js';
import { judgeTraffic, ofUnknownOrigin, type Ruling, rules } from './rules.js';
import type { Scenario } from './scenarios.js';
import { type Log, readTraffic, type Traffic } from './traffic.js';

type Engine = 'scenarios' | 'watch';

const about = (requirement: string, engine: Engine, scenario?: Scenario) => ({
  ...{ requirement, engine },
  check: scenario === undefined ? requirement : `${requirement}/${scenario.id}`,
});

export function findingOf(
  requirement: string,
  engine: Engine,
  { tried, violations: [first], restsOn, because }: Ruling,
  { scenario, log }: { readonly scenario?: Scenario; readonly log?: Log } = {},
  rate: { readonly failed: number; readonly of: number } = { failed: 1, of: 1 },
): Finding {
  const row = about(requirement, engine, scenario);
  if (first !== undefined) {
    const { expected, actual, at } = first;
    return { ...row, outcome: 'fail', expected, actual, ...present({ message: scenario?.given, chain: log?.chainTo(at) }), rate };
  }
  if (tried > 0) return { ...row, outcome: 'pass', ...present({ restsOn }) };
  return { ...row, outcome: 'untested', ...present({ message: because }), through: 'call' };
}

/** What was seen of a client, from whichever engine. */
interface Judged extends Pick<VerdictInput, 'target' | 'startedAt' | 'interrupted' | 'remarks' | 'error'> {
  readonly engine: Engine;
  readonly traffic: readonly Traffic[];
  /** What is to be said of a row, and of an open question where it can be answered. */
  findings(row: string): readonly Finding[];
  observation?(row: string): Observation;
  /** Told what the report is made of. */
  readonly recorded?: (concluded: VerdictInput) => readonly string[];
}

export function clientReport({ spec, selected, baseline, strict }: RowSettings, judged: Judged): Report {
  const { engine, target, traffic, findings, observation, startedAt, interrupted, remarks, error, recorded = () => [] } = judged;
  const redactor = createRedactor(spec.protocol);
  for (const { users, log } of traffic) {
    for (const { id, paraphrase } of users) redactor.user(String(id), paraphrase);
    for (const act of log.requests) learnSecrets(act, spec.protocol, redactor);
  }
  const rowsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).filter((id) => selected.has(id));
  const concluded: VerdictInput = {
    ...{ spec, target, startedAt, selected, interrupted, error },
    // The users of a scenario are not the caller's.
    remarks: [...remarks, ...(engine === 'watch' ? redactor.warnings() : [])],
    options: { auth: 'on', seed: 0, runs: 0, baseline, strict },
    findings: rowsOf(spec.catalogue.requirements).flatMap(findings),
    observations: observation === undefined ? [] : rowsOf(spec.catalogue.open).map(observation),
    durationMs: Date.now() - startedAt.getTime(),
    requests: traffic.reduce((sum, { log }) => sum + log.requests.length, 0),
    engines: [engine],
    record: (chain) => recordChain(chain, { baseUrl: new URL(engine === 'watch' ? target.url : 'http://127.0.0.1'), redactor }),
    // The service of a scenario is gone when it is over; the client itself repeats it.
    curl: () => null,
    redact: redactor.text,
  };
  return makeReport({ ...concluded, remarks: [...concluded.remarks, ...recorded(concluded)] });
}

/** So many requests of one client are judged. */
export const mostJudged = 20_000;

interface SeenClient {
  readonly log: Log;
  /** All that it sent since the beginning is known, and that it is one client. */
  readonly isWhole?: boolean;
  readonly unclear?: string;
}

const mixed = 'one client logged in as several users, so several clients may look like one';
const gap = 'a client uses nonces or tokens that it was given before or between these exchanges';

/** Judges clients by their requests, each by itself. */
export function judgeClients(clients: readonly SeenClient[]) {
  const all = clients.map(({ log, unclear, isWhole = false }) => {
    const traffic = readTraffic(log);
    const [first] = traffic.acts;
    const isMixed = !isWhole && new Set(traffic.users.map(({ id }) => id)).size > 1;
    const isPartial = !isWhole && (ofUnknownOrigin(traffic).length > 0 || (first?.authorization ?? first?.token) !== undefined);
    const judged = rules.filter(({ needsAll }) => !(isPartial && needsAll === true));
    const why = isMixed ? mixed : unclear;
    const results = why === undefined ? judgeTraffic(judged, traffic).map((each) => ({ ...each, log })) : [];
    return { traffic, results, why: why ?? (isPartial ? gap : undefined) };
  });
  const results = all.flatMap((each) => each.results);
  const reasons = [...new Set(all.flatMap(({ why }) => why ?? []))];
  const overrun = clients.filter(({ log }) => log.overrun).map(({ log }) => log.requests.length);
  const unknown = all.reduce((sum, { traffic }) => sum + ofUnknownOrigin(traffic).length, 0);
  return {
    traffic: all.map(({ traffic }) => traffic),
    remarks: [
      reasons.includes(mixed) && `Not judged as a client: ${mixed}.`,
      overrun.length > 0 && `Of each client only the first ${Math.max(...overrun)} requests were judged.`,
      unknown > 0 &&
        `${count(unknown, 'request')} carried a nonce or token whose issue was not seen, so nothing says whether it was altered. Let the client log in while it is watched or recorded.`,
    ].filter((remark) => remark !== false),
    /** What is to be said of a row. What nobody could see in traffic does not count against a verdict. */
    finding(row: string): Finding {
      const said = results.filter((each) => each.row === row);
      const violations = said.flatMap((each) => each.violations);
      if (!rules.some((rule) => rule.row === row && (rule.tellsOnly !== true || violations.length > 0)))
        return { ...about(row, 'watch'), outcome: 'untested', message: 'Traffic alone does not show this; hydrauth check-client can.' };
      const tried = said.reduce((sum, each) => sum + each.tried, 0);
      const restsOn = count(tried, 'request that was seen', 'requests that were seen');
      const because = `Not exercised: ${['no request that was seen shows this', ...reasons].join('; ')}.`;
      const first = said.find((each) => each.violations.length > 0);
      return findingOf(row, 'watch', { tried, violations, restsOn, because }, first, { failed: violations.length, of: tried });
    },
  };
}
