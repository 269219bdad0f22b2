import { count } from '../../spec/index.js';
import type { Finding } from '../finding.js';
import type { Enacted, RuleResult } from './enact.js';
import type { Opinion } from './scenarios/index.js';

const engine = 'scenarios';

/** What the scenarios say of one row: each by itself where it judges it, and together where it is judged on all traffic. */
export function findingsOf(row: string, all: readonly Enacted[]): Finding[] {
  return [...byJudges(row, all), ...byRules(row, all), ...(row === 'client.output-secrets' ? [printing(row, all)] : [])];
}

function byJudges(row: string, all: readonly Enacted[]): Finding[] {
  return all.flatMap((enacted): Finding[] => {
    const judge = enacted.scenario.judges[row];
    return judge === undefined ? [] : [tell(row, enacted, opinionOf(row, enacted, all))];
  });
}

/** What a client was hindered from, or what another row tells, says nothing of this one. */
export function opinionOf(row: string, enacted: Enacted, all: readonly Enacted[] = []): Opinion {
  const { scenario, result, seen, byRules: others } = enacted;
  if (result.unsupported !== undefined) return { outcome: 'untested', because: result.unsupported };
  if (result.trouble !== undefined && !seen.overrun) return { outcome: 'untested', because: result.trouble };
  const missing = scenario.buildsOn?.find((needed) => all.some((each) => isViolated(needed, each)));
  if (missing !== undefined) return { outcome: 'untested', because: `It builds on ${missing}, which fails.` };
  const opinion = scenario.judges[row]?.(seen) ?? { outcome: 'untested', because: 'The scenario does not judge it.' };
  const cause = others.find(({ violations }) => violations.length > 0);
  if (opinion.outcome !== 'fail' || opinion.mayFollow !== true || cause === undefined) return opinion;
  return { outcome: 'untested', because: `What came of it is told by ${cause.row}.` };
}

function isViolated(row: string, enacted: Enacted): boolean {
  const isSeen = enacted.byRules.some((each) => each.row === row && each.violations.length > 0);
  return isSeen || (row in enacted.scenario.judges && opinionOf(row, enacted).outcome === 'fail');
}

function tell(requirement: string, { scenario, log }: Enacted, opinion: Opinion): Finding {
  const about = { requirement, check: `${requirement}/${scenario.id}`, engine } as const;
  if (opinion.outcome === 'pass') return { ...about, outcome: 'pass', restsOn: opinion.restsOn };
  if (opinion.outcome === 'untested') return { ...about, outcome: 'untested', message: opinion.because };
  const { expected, actual, at } = opinion;
  return { ...about, outcome: 'fail', expected, actual, message: scenario.given, chain: log.chainTo(at) };
}

interface Ruled extends RuleResult {
  readonly enacted: Enacted;
}

/** One finding for all scenarios; of a violation the first that shows it. */
function byRules(requirement: string, all: readonly Enacted[]): Finding[] {
  const results = all.flatMap((enacted): Ruled[] =>
    enacted.byRules.filter(({ row, tried }) => row === requirement && tried > 0).map((result) => ({ ...result, enacted })),
  );
  const violated = results.filter(({ violations }) => violations.length > 0);
  const [first] = violated;
  const [violation] = first?.violations ?? [];
  if (first === undefined || violation === undefined) {
    const requests = results.reduce((sum, { tried }) => sum + tried, 0);
    if (requests === 0) return [];
    return [
      {
        requirement,
        check: requirement,
        engine,
        outcome: 'pass',
        restsOn: `${count(requests, 'request')} in ${count(results.length, 'scenario')}`,
      },
    ];
  }
  const { expected, actual, at } = violation;
  const { scenario, log } = first.enacted;
  return [
    {
      ...{ requirement, check: `${requirement}/${scenario.id}`, engine, outcome: 'fail', expected, actual, message: scenario.given },
      chain: log.chainTo(at),
      ...(violated.length < results.length ? { rate: { failed: violated.length, of: results.length } } : {}),
    },
  ];
}

function printing(requirement: string, all: readonly Enacted[]): Finding {
  const heard = all.filter(({ result }) => result.output !== undefined);
  const about = { requirement, check: requirement, engine } as const;
  const shown = heard.find(({ printed }) => printed !== undefined);
  if (shown !== undefined)
    return {
      ...about,
      outcome: 'fail',
      expected: 'no secret in the output of the client',
      actual: `the ${shown.printed?.name} in it`,
      message: shown.scenario.given,
    };
  if (heard.length === 0) return { ...about, outcome: 'untested', message: 'The output of the client cannot be seen.' };
  // A client that did nothing had nothing to print.
  const acting = heard.filter(({ seen }) => seen.acts.length > 0);
  if (acting.length === 0) return { ...about, outcome: 'untested', message: 'The client sent no request, so its output shows nothing.' };
  return { ...about, outcome: 'pass', restsOn: `the output of ${count(acting.length, 'scenario')}` };
}
