import { count, type Step, spec } from '../../spec/index.js';
import { severityOf } from '../finding.js';
import type { Outcome, Report, ReportCheck, ReportRequirement } from './report.js';
import { groupedByReason, type UntestedGroup, uncheckableBecause } from './untested.js';
import { failsStrictly } from './verdict.js';
import { stepTitles, tallyWords, timeWords, verdictWords } from './words.js';

export interface Counts extends Readonly<Record<Outcome, number>> {
  readonly all: number;
  /** MUSTs that are not untested. */
  readonly mustTested: number;
  readonly mustFailed: number;
  /** Untested MUSTs that can be checked. They fail a strict run. */
  readonly mustUntested: number;
}

export function countOutcomes(requirements: readonly ReportRequirement[]): Counts {
  const of = (outcome: Outcome) => requirements.filter((each) => each.outcome === outcome).length;
  const musts = requirements.filter((each) => each.level === 'MUST');
  return {
    all: requirements.length,
    pass: of('pass'),
    fail: of('fail'),
    warn: of('warn'),
    untested: of('untested'),
    'known-failure': of('known-failure'),
    mustTested: musts.filter((each) => each.outcome !== 'untested').length,
    mustFailed: musts.filter((each) => each.outcome === 'fail').length,
    mustUntested: musts.filter((each) => each.outcome === 'untested' && each.uncheckable !== true).length,
  };
}

interface StepGroup {
  readonly step: Step;
  readonly title: string;
  readonly requirements: readonly ReportRequirement[];
}

export function byStep(requirements: readonly ReportRequirement[]): StepGroup[] {
  return (Object.keys(stepTitles) as Step[])
    .map((step) => ({ step, title: stepTitles[step], requirements: requirements.filter((each) => each.step === step) }))
    .filter((group) => group.requirements.length > 0);
}

/** The untested requirements under the reason they share, the commonest first; all that nothing can check under one, unless it is asked why. */
export function untestedByReason(report: Report, saysWhyUncheckable = true): UntestedGroup[] {
  const untested = withOutcome(report, 'untested');
  if (saysWhyUncheckable) return groupedByReason(untested);
  const [checkable, uncheckable] = [false, true].map((is) => untested.filter((each) => (each.uncheckable === true) === is));
  return [...groupedByReason(checkable ?? []), ...groupedByReason(uncheckable ?? [], () => uncheckableBecause)];
}

/** Violated requirements, those first in which a token was given wrongly, then those in which a resource was. */
export function worstFirst(requirements: readonly ReportRequirement[]): ReportRequirement[] {
  const severity = (each: ReportRequirement) => Math.max(0, ...counterexamples(each).map(severityOf));
  return [...requirements].sort((one, other) => severity(other) - severity(one));
}

export function withOutcome(report: Report, outcome: Outcome): ReportRequirement[] {
  return report.requirements.filter((each) => each.outcome === outcome);
}

/** The failures that one engine found, in the order given, the worst first. An engine with exchanges to show is preferred. */
export function counterexamples(requirement: ReportRequirement): ReportCheck[] {
  const failed = requirement.checks.filter((check) => check.outcome === 'fail');
  const shown = failed.find((check) => check.exchanges.length > 0) ?? failed[0];
  return failed.filter(({ engine }) => engine === shown?.engine);
}

interface Headline {
  readonly word: string;
  readonly sentence: string;
  /** The outcome whose colour it has. */
  readonly tone: Outcome;
}

/** The word and the sentence that a reader sees first. What fails a run is always in them, and so is what cut it short. */
export function headline(report: Report): Headline {
  const counts = countOutcomes(report.requirements);
  const violated = `${count(counts.mustFailed, 'MUST requirement is', 'MUST requirements are')} violated, of ${counts.mustTested} tested${untestedWords(counts)}.`;
  const { verdict, error } = report;
  if (verdict === 'error') return { word: verdictWords.error, sentence: error ?? 'The run gave no result.', tone: 'fail' };
  if (verdict === 'incomplete')
    return { word: verdictWords.incomplete, sentence: `${error ?? 'The run was interrupted.'} ${testedSoFar(counts)}`, tone: 'warn' };
  if (verdict === 'non-conformant')
    return error === undefined
      ? { word: verdictWords[verdict], sentence: violated, tone: 'fail' }
      : { word: 'Cut short', sentence: `${error} ${violated}`, tone: 'fail' };
  const held = holds(report, counts);
  const fails = [...staleWords(report), ...strictWords(report, counts)];
  return fails.length === 0
    ? { word: verdictWords.conformant, sentence: held, tone: 'pass' }
    : { word: 'Failed', sentence: `${fails.join(' ')} Otherwise conformant: ${held}`, tone: 'fail' };
}

/** What was found, as one sentence, without the word before it. */
export function verdictSentence(report: Report): string {
  return headline(report).sentence;
}

function holds(report: Report, counts: Counts): string {
  const known = counts['known-failure'] > 0 ? `, apart from ${count(counts['known-failure'], 'known failure')} of the baseline` : '';
  return `${count(counts.mustTested - knownMusts(report), 'tested MUST requirement holds', 'tested MUST requirements hold')}${known}${untestedWords(counts)}.`;
}

const untestedWords = ({ mustUntested }: Counts) => (mustUntested > 0 ? `; ${mustUntested} more could not be tested` : '');

function staleWords({ staleBaseline = [] }: Report): string[] {
  if (staleBaseline.length === 0) return [];
  return [
    `The baseline lists ${staleBaseline.join(', ')}, which now ${staleBaseline.length === 1 ? 'passes' : 'pass'}; remove what is stale.`,
  ];
}

function strictWords({ kit, requirements }: Report, counts: Counts): string[] {
  if (kit.strict !== true || !requirements.some(failsStrictly)) return [];
  const parts = [
    ...(counts.warn > 0 ? [count(counts.warn, 'warning')] : []),
    ...(counts.mustUntested > 0 ? [count(counts.mustUntested, 'untested MUST requirement')] : []),
  ];
  return [`With --strict, ${parts.join(' and ')} ${counts.warn + counts.mustUntested === 1 ? 'fails' : 'fail'} the run.`];
}

/** How many of each outcome there are, in words. Outcomes that did not come are left out. */
function tally(counts: Counts): string[] {
  return outcomesOf(counts).map((outcome) => tallyWords(outcome, counts[outcome]));
}

/** The outcomes that came, and passes, in the order in which reports count them. */
export function outcomesOf(counts: Counts): Outcome[] {
  return (['pass', 'fail', 'known-failure', 'warn', 'untested'] as const).filter((outcome) => outcome === 'pass' || counts[outcome] > 0);
}

/** The same of a whole report, with what was skipped. */
export function reportTally(report: Report): string[] {
  const skipped = skippedRequirements(report).length;
  return [...tally(countOutcomes(report.requirements)), ...(skipped > 0 ? [`${skipped} skipped`] : [])];
}

const openIds: ReadonlySet<string> = new Set([...spec.catalogue.open, ...spec.clientCatalogue.open].map(({ id }) => id));

/** What was skipped and would have been judged. Open points are never among what is judged, so they are counted by themselves. */
export function skippedRequirements({ skipped }: Report): string[] {
  return skipped.filter((id) => !openIds.has(id));
}

/** How much was skipped: "70, and 19 open points". */
export function skippedCount(report: Report): string {
  const requirements = skippedRequirements(report).length;
  const open = report.skipped.length - requirements;
  const parts = [...(requirements > 0 ? [String(requirements)] : []), ...(open > 0 ? [count(open, 'open point')] : [])];
  return parts.join(', and ');
}

/** The line that closes a run: verdict, counts, time. */
export function closingLine(report: Report): string {
  const { word, sentence } = headline(report);
  const parts = [...reportTally(report), count(report.requests, 'request'), timeWords(report.durationMs)];
  return `${word}: ${sentence} ${parts.join(', ')}.`;
}

function testedSoFar(counts: Counts): string {
  return counts.mustFailed > 0
    ? `So far ${count(counts.mustFailed, 'MUST requirement is', 'MUST requirements are')} found violated.`
    : 'So far no MUST requirement is found violated.';
}

function knownMusts(report: Report): number {
  return withOutcome(report, 'known-failure').filter((each) => each.level === 'MUST').length;
}

/** The message of a check, unless it only repeats expected and actual, which are told beside it. */
export function foundWords({ message, expected, actual }: ReportCheck): string | undefined {
  if (message === null) return undefined;
  return expected !== null && actual !== null && message.includes(expected) && message.includes(actual) ? undefined : message;
}
