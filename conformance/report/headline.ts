import { count, spec } from '../../spec/index.js';
import type { Outcome, Report, ReportRequirement } from './report.js';
import { failsStrictly } from './verdict.js';
import { tallyWords, timeWords, verdicts } from './words.js';

export type Counts = ReturnType<typeof countOutcomes>;
export type Headline = ReturnType<typeof headline>;

export function countOutcomes(requirements: readonly ReportRequirement[]) {
  const of = (outcome: Outcome, among = requirements) => among.filter((each) => each.outcome === outcome).length;
  const musts = requirements.filter((each) => each.level === 'MUST');
  return {
    all: requirements.length,
    pass: of('pass'),
    fail: of('fail'),
    warn: of('warn'),
    flaky: of('flaky'),
    untested: of('untested'),
    'known-failure': of('known-failure'),
    /** MUSTs that are not untested. */
    mustTested: musts.length - of('untested', musts),
    mustFailed: of('fail', musts),
    /** Untested MUSTs that fail a strict run. */
    mustUntested: of('untested', musts.filter(failsStrictly)),
    /** Untested MUSTs that traffic alone cannot show. */
    mustUnseen: musts.filter(({ unseeable }) => unseeable === true).length,
  };
}

/** The outcomes that came, and passes, in the order in which reports count them. */
export function outcomesOf(counts: Counts): Outcome[] {
  return (['pass', 'fail', 'known-failure', 'warn', 'flaky', 'untested'] as const).filter(
    (outcome) => outcome === 'pass' || counts[outcome] > 0,
  );
}

/** What a reader sees first. What fails a run is always in its sentence, and so is what cut it short. */
export function headline(report: Report) {
  const counts = countOutcomes(report.requirements);
  const skipped = skippedRequirements(report).length;
  return {
    /** The word, the sentence, and the outcome whose colour they have. */
    ...verdictSaid(report, counts),
    /** How much of each outcome there is, with its words: "3 passed". */
    tallies: [
      ...outcomesOf(counts).map((outcome) => [outcome, tallyWords(outcome, counts[outcome])] as const),
      ...(skipped > 0 ? [['skipped', tallyWords('skipped', skipped)] as const] : []),
    ],
    /** How many cases were planned, run, and could not be run, where the report says so. */
    cases: report.cases === undefined ? [] : [casesWords(report.cases)],
    /** What it took: "1,312 requests", "8.3 s". */
    took: [count(report.requests, 'request'), timeWords(report.durationMs)],
  };
}

/** The words for which there is something to say. */
const some = (...parts: readonly (readonly [is: boolean, words: string])[]) => parts.flatMap(([is, words]) => (is ? [words] : []));

function casesWords({ planned, couldNotRun, leftOut = 0 }: NonNullable<Report['cases']>): string {
  return some(
    [true, `${count(planned, 'case')} planned`],
    [couldNotRun === 0, 'all run'],
    [leftOut > 0, `${leftOut.toLocaleString('en')} left out`],
    [couldNotRun > leftOut, `${(couldNotRun - leftOut).toLocaleString('en')} could not be run`],
  ).join(', ');
}

/** The line that closes a run: verdict, counts, time. */
export function closingLine({ word, sentence, tallies, cases, took }: Headline): string {
  return `${word}: ${sentence} ${[...tallies.map(([, words]) => words), ...cases, ...took].join(', ')}.`;
}

/** What was found, as one sentence, without the word before it. */
export const verdictSentence = (report: Report): string => headline(report).sentence;

function verdictSaid(report: Report, counts: Counts) {
  const { verdict, error } = report;
  const said = (sentence: string, word = verdicts[verdict].word, tone = verdicts[verdict].tone) => ({ word, sentence, tone });
  const unseen = counts.mustUnseen > 0 ? `; ${counts.mustUnseen} cannot be seen in traffic` : '';
  const untested = `${counts.mustUntested > 0 ? `; ${counts.mustUntested} could not be tested` : ''}${unseen}`;
  const violated = `${count(counts.mustFailed, 'MUST requirement is', 'MUST requirements are')}`;
  if (verdict === 'error') return said(error ?? 'The run gave no result.');
  if (verdict === 'incomplete') {
    const soFar = counts.mustFailed > 0 ? violated : 'no MUST requirement is';
    return said(`${error ?? 'The run was interrupted.'} So far ${soFar} found violated.`);
  }
  if (verdict === 'non-conformant') {
    const sentence = `${violated} violated (${counts.mustTested} tested${untested}).`;
    return error === undefined ? said(sentence) : said(`${error} ${sentence}`, 'Cut short');
  }
  const flaky = counts.flaky > 0 ? `; ${count(counts.flaky, 'more is', 'more are')} flaky` : '';
  const { run = 0, leftOut = 0 } = report.cases ?? {};
  const tried =
    leftOut === 0
      ? ''
      : `, in the ${count(run, 'case that was', 'cases that were')} tried; the budget left out ${leftOut.toLocaleString('en')}`;
  const held = `${heldWords(report, counts)}${tried}${flaky}${untested}.`;
  const word = `${verdicts.conformant.word}${leftOut === 0 ? '' : ' in the cases that were tried'}`;
  const fails = [...staleWords(report), ...strictWords(report, counts)];
  return fails.length === 0 ? said(held, word) : said(`${fails.join(' ')} Otherwise ${word.toLowerCase()}: ${held}`, 'Failed', 'fail');
}

/** Where no MUST was tested, as where only SHOULDs were selected, what was. */
function heldWords({ requirements }: Report, { mustTested, all, untested, warn, pass, 'known-failure': known }: Counts): string {
  const accepted = requirements.filter(({ outcome, level }) => outcome === 'known-failure' && level === 'MUST').length;
  if (mustTested > 0 && mustTested === accepted)
    return `no new failure: ${count(accepted, 'tested MUST requirement is a known failure', 'tested MUST requirements are known failures')} listed in the baseline`;
  const apart = known > 0 ? `, apart from ${count(known, 'known failure')} listed in the baseline` : '';
  if (mustTested > 0) return `${count(mustTested - accepted, 'tested MUST requirement holds', 'tested MUST requirements hold')}${apart}`;
  const broken = warn > 0 ? ` and ${count(warn, 'does', 'do')} not` : '';
  const held = pass === 0 ? 'none holds' : `${count(pass, 'holds', 'hold')}${broken}`;
  return `no MUST requirement was tested; of ${count(all - untested, 'tested SHOULD requirement')}, ${held}${apart}`;
}

function staleWords({ staleBaseline: stale = [] }: Report): string[] {
  if (stale.length === 0) return [];
  const [pass, entries] = stale.length === 1 ? ['passes', 'that entry'] : ['pass', 'those entries'];
  return [`The baseline lists ${stale.join(', ')}, which now ${pass}; remove ${entries}.`];
}

function strictWords({ kit, cases }: Report, { warn, flaky, mustUntested }: Counts): string[] {
  const leftOut = cases?.leftOut ?? 0;
  const all = warn + flaky + mustUntested + leftOut;
  if (kit.strict !== true || all === 0) return [];
  const parts = some(
    [warn > 0, count(warn, 'warning')],
    [flaky > 0, count(flaky, 'flaky requirement')],
    [mustUntested > 0, count(mustUntested, 'untested MUST requirement')],
    [leftOut > 0, `${count(leftOut, 'case')} that the budget left out`],
  );
  return [`With --strict, ${parts.join(' and ')} ${all === 1 ? 'fails' : 'fail'} the run.`];
}

const openIds: ReadonlySet<string> = new Set([...spec.catalogue.open, ...spec.clientCatalogue.open].map(({ id }) => id));

/** What was skipped and would have been judged. Open points are never judged, so they are counted by themselves. */
export function skippedRequirements({ skipped }: Pick<Report, 'skipped'>): string[] {
  return skipped.filter((id) => !openIds.has(id));
}
