import { count } from '../../spec/index.js';
import { type Finding, type Observation, present } from '../finding.js';
import type { Enacted, RuleResult } from './enact.js';
import { judges, observers, type Ruling, untested } from './judging/index.js';
import type { Log } from './traffic/index.js';

/** What the scenarios say of one row: each by itself where it judges it, and together where it is judged on all traffic. */
export function findingsOf(row: string, all: readonly Enacted[], error: string | undefined): Finding[] {
  const judged = all.filter(({ scenario }) => row in judges && scenario.rows.includes(row));
  const findings = [
    ...judged.map((each) => findingOf(row, 'scenarios', rulingOf(row, each, all), { scenario: each.scenario, log: each.log })),
    ...byRules(row, all),
  ];
  if (findings.length > 0) return withoutRepetition(findings);
  return [findingOf(row, 'scenarios', untested(`Not exercised${error === undefined ? ': no scenario got that far.' : `. ${error}`}`), {})];
}

/** So many scenarios in which a row fails are told; of the others only how many there are. */
const mostTold = 3;

function withoutRepetition(findings: readonly Finding[]): Finding[] {
  const failed = findings.filter(({ outcome }) => outcome === 'fail').sort((one, other) => (one.check < other.check ? -1 : 1));
  if (failed.length <= mostTold) return [...findings];
  const rate = { failed: failed.length, of: findings.filter(({ outcome }) => outcome !== 'untested').length };
  const message = `${failed[0]?.message} The same in ${count(failed.length - mostTold, 'more scenario')} that ${failed.length === mostTold + 1 ? 'is' : 'are'} not listed.`;
  const told = failed.slice(0, mostTold).map((each, index) => ({ ...each, rate, ...(index === 0 ? { message } : {}) }));
  return [...told, ...findings.filter(({ outcome }) => outcome !== 'fail')];
}

/** What a client was hindered from, or what another row tells, says nothing of this one. */
export function rulingOf(row: string, { scenario, result, seen, byRules: others }: Enacted, all: readonly Enacted[] = []): Ruling {
  if (result.unsupported !== undefined) return untested(result.unsupported);
  if (result.trouble !== undefined && !seen.overrun) return untested(result.trouble);
  const missing = scenario.buildsOn?.find((needed) => all.some((each) => isViolated(needed, each)));
  if (missing !== undefined) return untested(`This needs ${missing}, which fails.`);
  const ruling = judges[row]?.(seen) ?? untested();
  const cause = others.find(({ violations }) => violations.length > 0);
  if (cause === undefined || !ruling.violations.some(({ mayFollow }) => mayFollow)) return ruling;
  return untested(`The failure is reported under ${cause.row}.`);
}

/** Whether a scenario that is made for a row shows that it fails. */
export const failsIn = (row: string, enacted: Enacted): boolean =>
  row in judges && enacted.scenario.rows.includes(row) && rulingOf(row, enacted).violations.length > 0;

function isViolated(row: string, enacted: Enacted): boolean {
  return enacted.byRules.some((each) => each.row === row && each.violations.length > 0) || failsIn(row, enacted);
}

/** One finding for all scenarios; of a violation the first that shows it. */
function byRules(row: string, all: readonly Enacted[]): Finding[] {
  const results = all.flatMap((enacted) =>
    enacted.byRules.filter((each) => each.row === row).map((result): RuleResult & Enacted => ({ ...enacted, ...result })),
  );
  const tried = results.filter((each) => each.tried > 0);
  const violated = tried.filter(({ violations }) => violations.length > 0);
  const [first] = violated;
  if (first !== undefined) return [findingOf(row, 'scenarios', first, first, { failed: violated.length, of: tried.length })];
  if (tried.length > 0) {
    const requests = tried.reduce((sum, each) => sum + each.tried, 0);
    const restsOn = `${count(requests, 'request')} in ${count(tried.length, 'scenario')}`;
    return [findingOf(row, 'scenarios', { tried: requests, violations: [], restsOn }, {})];
  }
  const because = results.find((each) => each.because !== undefined)?.because;
  return because === undefined ? [] : [findingOf(row, 'scenarios', untested(because), {})];
}

/** What was seen of a row, as a finding. */
export function findingOf(
  requirement: string,
  engine: 'scenarios' | 'watch',
  { tried, violations: [first], restsOn, because, unseeable }: Ruling,
  { scenario, log }: { readonly scenario?: Enacted['scenario']; readonly log?: Log },
  rate: { readonly failed: number; readonly of: number } = { failed: 1, of: 1 },
): Finding {
  const about = { requirement, check: scenario === undefined ? requirement : `${requirement}/${scenario.id}`, engine } as const;
  if (first !== undefined) {
    const { expected, actual, at } = first;
    return { ...about, outcome: 'fail', expected, actual, ...present({ message: scenario?.given, chain: log?.chainTo(at) }), rate };
  }
  if (tried > 0) return { ...about, outcome: 'pass', ...present({ restsOn }) };
  return { ...about, outcome: 'untested', ...present({ message: because }), ...(unseeable ? {} : { through: 'call' }) };
}

/** The first answer to an open question. */
export function observationOf(requirement: string, all: readonly Enacted[]): Observation {
  for (const { scenario, seen, result } of all) {
    if (!scenario.rows.includes(requirement) || result.trouble !== undefined || result.unsupported !== undefined) continue;
    const answer = observers[requirement]?.(seen);
    if (answer !== undefined) return { requirement, answer, evidence: scenario.given };
  }
  return { requirement, answer: 'not observed', evidence: 'No scenario showed this.' };
}
