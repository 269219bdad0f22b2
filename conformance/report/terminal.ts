import { profileOf, spec } from '../../spec/index.js';
import { newEntries } from './baseline.js';
import { clip, oneLine } from './escape.js';
import type { Report, ReportRequirement } from './report.js';
import {
  byStep,
  closingLine,
  countOutcomes,
  headline,
  outcomesOf,
  skippedCount,
  untestedByReason,
  withOutcome,
  worstFirst,
} from './summary.js';
import { clientWords, targetName } from './target-words.js';
import { everyRequirement, observations, passedInPart } from './terminal/details.js';
import { violation } from './terminal/failure.js';
import { indent, wrap } from './terminal/layout.js';
import type { Look } from './terminal/look.js';
import { outcomeStyle, painter } from './terminal/paint.js';
import { coverageWords, depthWords, profileWords, replayCommand, skippedBecause, stepTitles, tallyWords } from './words.js';

interface TerminalLook extends Partial<Omit<Look, 'paint'>> {
  readonly colour?: boolean;
  /** Columns; 80 unless given, and never fewer than 40. */
  readonly width?: number;
}

/** The report for a person at a terminal: what was found first, the verdict last. Nothing from the target can steer the terminal. */
export function terminalReport(report: Report, { colour = false, width = 80, verbose = false, ...more }: TerminalLook = {}): string {
  const look: Look = { whole: false, ...more, paint: painter(colour), width: Math.max(40, width), verbose };
  const isNothingFound = report.verdict === 'error' && !verbose;
  const found = [
    ...steps(report, look),
    violations('Failures', worstFirst(withOutcome(report, 'fail')), look),
    violations('Warnings', worstFirst(withOutcome(report, 'warn')), look),
    violations('Known failures, from the baseline', withOutcome(report, 'known-failure'), look),
    untested(report, look),
    skipped(report, look),
    ...(verbose ? [passedInPart(report, look), observations(report, look)] : []),
  ];
  const sections = [
    heading(report, look),
    ...(isNothingFound ? [] : found),
    remarks(report, look),
    [...baseline(report, look), ...(isNothingFound ? [] : further(report, look)), ...closing(report, look)],
  ];
  return `${sections
    .map((lines) => lines.join('\n').trimEnd())
    .filter((section) => section !== '')
    .join('\n\n')}\n`;
}

function heading(report: Report, { paint, width, verbose }: Look): string[] {
  const { kit, target, coverage, depth } = report;
  const serverFacts = () => [
    // The kit's own goes without saying.
    ...(verbose || report.profile?.digest !== profileOf(spec).digest ? [profileWords(report)] : []),
    `collections ${target.collections.join(', ')}`,
    target.users.length > 0 ? `users ${target.users.join(', ')}` : 'no users',
    `authentication ${target.auth}`,
    `clock ${target.clock}`,
    `seed ${kit.seed}`,
    ...(verbose
      ? [
          `engines ${kit.engines.join(', ')}`,
          ...(coverage === undefined ? [] : [coverageWords(coverage)]),
          ...(depth === undefined ? [] : [depthWords(depth)]),
        ]
      : []),
  ];
  const facts = target.client === undefined ? serverFacts() : [clientWords(target.client)];
  return [
    `${paint('bold', 'hydrauth')} ${kit.version} ${paint('bold', oneLine(targetName(target)))}`,
    ...wrap(oneLine(facts.join('; ')), width).map((line) => paint('dim', line)),
  ];
}

/** One line a step; every requirement of it where all is asked for. */
function steps(report: Report, look: Look): string[][] {
  const { paint, verbose } = look;
  const titleWidth = Math.max(...Object.values(stepTitles).map((title) => title.length));
  const all = byStep(report.requirements).map(({ title, requirements }) => {
    const counts = countOutcomes(requirements);
    const words = outcomesOf(counts).map((outcome) => paint(outcomeStyle[outcome], tallyWords(outcome, counts[outcome])));
    const head = `${paint('bold', title.padEnd(titleWidth))}  ${words.join(', ')}`;
    return verbose ? [head, ...everyRequirement(requirements, look)] : [head];
  });
  return verbose ? all : [all.flat()];
}

function violations(title: string, requirements: readonly ReportRequirement[], look: Look): string[] {
  if (requirements.length === 0) return [];
  return [
    look.paint('bold', `${title} (${requirements.length})`),
    ...requirements.flatMap((each, index) => violation(each, index + 1, look)),
  ];
}

/** What nothing can check is the same in every run, and why is told only where all is asked for. */
function untested(report: Report, { paint, width, verbose }: Look): string[] {
  const groups = untestedByReason(report, verbose);
  const number = groups.flatMap(({ requirements }) => requirements).length;
  if (number === 0) return [];
  return [
    paint('bold', `Untested (${number})`),
    ...groups.flatMap(({ reason, requirements }) => {
      const ids = requirements.map(({ id }) => id).join(', ');
      return indent(wrap(`${oneLine(ids)}: ${oneLine(clip(reason, 1000))}`, width - 2), 2);
    }),
  ];
}

function skipped(report: Report, { paint, width }: Look): string[] {
  const { skipped: ids, requirements } = report;
  if (ids.length === 0) return [];
  const beginning = (id: string) => id.slice(0, id.indexOf('.') + 1);
  const judged = new Set(requirements.map(({ id }) => beginning(id)));
  // Where nothing with this beginning was judged, it stands for all of them.
  const names = new Set(ids.map((id) => (judged.has(beginning(id)) ? id : `${beginning(id)}*`)));
  return [
    paint('bold', `Skipped (${skippedCount(report)})`),
    ...indent(wrap(`${oneLine([...names].join(', '))}: ${skippedBecause}`, width - 2), 2),
  ];
}

function remarks(report: Report, { paint, width }: Look): string[] {
  if (report.remarks.length === 0) return [];
  const lines = report.remarks.flatMap((remark) => indent(wrap(oneLine(clip(remark, 1000)), width - 2), 2));
  return [paint('bold', 'Remarks'), ...lines];
}

/** The entries on one line, which a person pastes and a terminal breaks. */
function baseline(report: Report, { paint }: Look): string[] {
  const entries = newEntries(report);
  if (entries.length === 0) return [];
  const written = report.target.client === undefined ? 'give check --write-baseline FILE, or ' : '';
  return [
    paint('dim', `To accept these failures for now, ${written}put this into a file for --baseline:`),
    oneLine(JSON.stringify(entries)),
  ];
}

/** Where the rest is. */
function further(report: Report, { paint, verbose, json, html }: Look): string[] {
  if (verbose) return [];
  const [first] = [...worstFirst(withOutcome(report, 'fail')), ...worstFirst(withOutcome(report, 'warn'))];
  const lines = [
    html === undefined ? 'Everything: --verbose or --html FILE.' : `Everything: written to ${html}.`,
    ...(first === undefined
      ? []
      : [`Replay one: ${json === undefined ? '--json FILE, then ' : ''}${replayCommand(first, json ?? 'FILE')}`]),
  ];
  return lines.map((line) => paint('dim', oneLine(line)));
}

function closing(report: Report, { paint }: Look): string[] {
  return [paint('bold', paint(outcomeStyle[headline(report).tone], oneLine(clip(closingLine(report), 2000))))];
}
