import type { Step } from '../../spec/index.js';
import type { Outcome, Report, ReportCheck, ReportRequirement } from './report.js';
import { count, stepTitles, tallyWords, timeWords, verdictWords } from './words.js';

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

export interface StepGroup {
  readonly step: Step;
  readonly title: string;
  readonly requirements: readonly ReportRequirement[];
}

export function byStep(requirements: readonly ReportRequirement[]): StepGroup[] {
  return (Object.keys(stepTitles) as Step[])
    .map((step) => ({ step, title: stepTitles[step], requirements: requirements.filter((each) => each.step === step) }))
    .filter((group) => group.requirements.length > 0);
}

/** The untested requirements under the reason they share, the commonest first. */
export function untestedByReason(report: Report): { reason: string; requirements: ReportRequirement[] }[] {
  const groups = new Map<string, ReportRequirement[]>();
  for (const each of report.requirements.filter(({ outcome }) => outcome === 'untested')) {
    const reason = each.reason ?? 'No reason is given.';
    groups.set(reason, [...(groups.get(reason) ?? []), each]);
  }
  return [...groups]
    .map(([reason, requirements]) => ({ reason, requirements }))
    .sort((a, b) => b.requirements.length - a.requirements.length);
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

/** What was found, as one sentence, without the name of the verdict. */
export function verdictSentence(report: Report): string {
  const counts = countOutcomes(report.requirements);
  const known = counts['known-failure'] > 0 ? `, apart from ${count(counts['known-failure'], 'known failure')} of the baseline` : '';
  if (report.verdict === 'error') return report.error ?? 'The run gave no result.';
  if (report.verdict === 'incomplete') return `${report.error ?? 'The run was interrupted.'} ${testedSoFar(counts)}`;
  if (report.verdict === 'non-conformant')
    return `${count(counts.mustFailed, 'MUST requirement is', 'MUST requirements are')} violated, of ${counts.mustTested} tested.`;
  const untested = counts.mustUntested > 0 ? `; ${counts.mustUntested} more could not be tested` : '';
  return `${count(counts.mustTested - knownMusts(report), 'tested MUST requirement holds', 'tested MUST requirements hold')}${known}${untested}.`;
}

/** How many of each outcome there are, in words. Outcomes that did not come are left out. */
export function tally(counts: Counts): string[] {
  return (['pass', 'fail', 'known-failure', 'warn', 'untested'] as const)
    .filter((outcome) => outcome === 'pass' || counts[outcome] > 0)
    .map((outcome) => tallyWords(outcome, counts[outcome]));
}

/** The same of a whole report, with what was skipped. */
export function reportTally({ requirements, skipped }: Report): string[] {
  return [...tally(countOutcomes(requirements)), ...(skipped.length > 0 ? [`${skipped.length} skipped`] : [])];
}

/** The line that closes a run: verdict, counts, time. */
export function closingLine(report: Report): string {
  const parts = [...reportTally(report), count(report.requests, 'request'), timeWords(report.durationMs)];
  return `${verdictWords[report.verdict]}: ${verdictSentence(report)} ${parts.join(', ')}.`;
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
