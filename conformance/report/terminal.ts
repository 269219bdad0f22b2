import { baselineText } from './baseline.js';
import { clip, oneLine, visible } from './escape.js';
import type { Report, ReportRequirement } from './report.js';
import { byStep, closingLine, countOutcomes, untestedByReason, withOutcome } from './summary.js';
import { clientWords, targetName } from './target-words.js';
import { violation } from './terminal/failure.js';
import { beside, cut, indent, wrap } from './terminal/layout.js';
import { outcomeStyle, type Paint, painter } from './terminal/paint.js';
import { count, coverageWords, skippedBecause, tallyWords } from './words.js';

export interface TerminalLook {
  readonly colour?: boolean;
  /** Columns; 80 unless given, and never fewer than 40. */
  readonly width?: number;
}

/** The report for a person at a terminal. Nothing from the target can steer the terminal. */
export function terminalReport(report: Report, { colour = false, width: columns = 80 }: TerminalLook = {}): string {
  const look = { paint: painter(colour), width: Math.max(40, columns) };
  const sections = [
    heading(report, look),
    ...byStep(report.requirements).map(({ title, requirements }) => step(title, requirements, look)),
    violations('Failures', withOutcome(report, 'fail'), look),
    violations('Warnings', withOutcome(report, 'warn'), look),
    violations('Known failures, from the baseline', withOutcome(report, 'known-failure'), look),
    untested(report, look),
    skipped(report, look),
    passedInPart(report, look),
    observations(report, look),
    remarks(report, look),
    baseline(report, look),
    closing(report, look),
  ];
  return `${sections
    .map((lines) => lines.join('\n').trimEnd())
    .filter((section) => section !== '')
    .join('\n\n')}\n`;
}

interface Look {
  readonly paint: Paint;
  readonly width: number;
}

function heading({ kit, target }: Report, { paint, width }: Look): string[] {
  const serverFacts = () => [
    `collections ${target.collections.join(', ')}`,
    target.users.length > 0 ? `users ${target.users.join(', ')}` : 'no users',
    `authentication ${target.auth}`,
    `clock ${target.clock}`,
    `engines ${kit.engines.join(', ')}`,
    `seed ${kit.seed}`,
  ];
  const facts = target.client === undefined ? serverFacts() : [clientWords(target.client)];
  return [
    `${paint('bold', 'hydrauth')} ${kit.version} ${paint('bold', cut(oneLine(targetName(target)), width - 18))}`,
    ...wrap(oneLine(facts.join('; ')), width).map((line) => paint('dim', line)),
  ];
}

function step(title: string, requirements: readonly ReportRequirement[], { paint, width }: Look): string[] {
  const counts = countOutcomes(requirements);
  const tally = (['pass', 'fail', 'known-failure', 'warn', 'untested'] as const)
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => paint(outcomeStyle[outcome], tallyWords(outcome, counts[outcome])));
  const idWidth = Math.min(30, Math.max(...requirements.map(({ id }) => id.length)));
  return [
    `${paint('bold', title)}  ${tally.join(', ')}`,
    ...requirements.map((each) => {
      const head = `  ${marks[each.outcome].padEnd(9)}${each.level.padEnd(7)}${oneLine(each.id).padEnd(idWidth)}  `;
      const text = cut(oneLine(each.restsOn ?? each.statement), width - head.length);
      return `${paint(outcomeStyle[each.outcome], head.slice(0, 11))}${paint('dim', head.slice(11, 18))}${head.slice(18)}${paint('dim', width - head.length < 16 ? '' : text)}`.trimEnd();
    }),
  ];
}

const marks = { pass: 'pass', fail: 'FAIL', warn: 'warn', untested: 'untested', 'known-failure': 'known' } as const;

function violations(title: string, requirements: readonly ReportRequirement[], look: Look): string[] {
  if (requirements.length === 0) return [];
  return [
    look.paint('bold', `${title} (${requirements.length})`),
    '',
    ...requirements.flatMap((each, index) => violation(each, index + 1, look)),
  ];
}

function untested(report: Report, { paint, width }: Look): string[] {
  const groups = untestedByReason(report);
  if (groups.length === 0) return [];
  return [
    paint('bold', `Untested (${withOutcome(report, 'untested').length})`),
    ...groups.flatMap(({ reason, requirements }) => [
      ...indent(wrap(visible(clip(reason, 1000)), width - 2), 2),
      ...indent(wrap(oneLine(requirements.map(({ id }) => id).join(', ')), width - 4), 4).map((line) => paint('dim', line)),
    ]),
  ];
}

function skipped({ skipped: ids }: Report, { paint, width }: Look): string[] {
  if (ids.length === 0) return [];
  const lines = wrap(oneLine(ids.join(', ')), width - 4).map((line) => paint('dim', line));
  return [paint('bold', `Skipped (${ids.length})`), `  ${skippedBecause}`, ...indent(lines, 4)];
}

function passedInPart(report: Report, { paint, width }: Look): string[] {
  const parts = withOutcome(report, 'pass').filter(({ checks }) => checks.some(({ outcome }) => outcome === 'untested'));
  if (parts.length === 0) return [];
  const lines = parts.flatMap(({ id, restsOn = '' }) => wrap(oneLine(clip(`${id}: ${restsOn}`, 1000)), width - 2));
  return [paint('bold', `Passed in part (${parts.length})`), ...indent(lines, 2)];
}

function observations(report: Report, { paint, width }: Look): string[] {
  if (report.observations.length === 0) return [];
  const labelWidth = Math.min(Math.floor(width / 2), 2 + Math.max(...report.observations.map(({ question }) => question.length)));
  const rows = report.observations.flatMap(({ question, answer, evidence }) => {
    const asked = wrap(oneLine(question), labelWidth - 2);
    const said = wrap(oneLine(clip(answer, 600)), width - labelWidth - 2);
    const shown = wrap(oneLine(clip(evidence, 600)), width - labelWidth - 2).map((line) => paint('dim', line));
    return beside(asked, [...said, ...shown], labelWidth);
  });
  return [paint('bold', 'Observed, not judged: points that the protocol leaves open'), ...indent(rows, 2)];
}

function remarks(report: Report, { paint, width }: Look): string[] {
  if (report.remarks.length === 0) return [];
  const lines = report.remarks.flatMap((remark) => indent(wrap(oneLine(clip(remark, 1000)), width - 2), 2));
  return [paint('bold', 'Remarks'), ...lines];
}

function baseline(report: Report, { paint, width }: Look): string[] {
  const text = baselineText(report);
  if (text === '') return [];
  const entries = count(withOutcome(report, 'fail').length, 'entry', 'entries');
  const use = `To accept these failures for now, put this into a file, say why in each reason, and give the file with --baseline (${entries}):`;
  return [...wrap(use, width).map((line) => paint('dim', line)), visible(text)];
}

function closing(report: Report, { paint, width }: Look): string[] {
  const { coverage } = report;
  const covered = coverage === undefined ? [] : wrap(`States and circumstances: ${coverageWords(coverage)}.`, width);
  const style = { conformant: 'green', 'non-conformant': 'red', incomplete: 'yellow', error: 'red' } as const;
  const stale = (report.staleBaseline ?? []).length > 0 ? ' The baseline has stale entries, and so the run fails.' : '';
  return [
    ...covered.map((line) => paint('dim', line)),
    paint('bold', paint(style[report.verdict], oneLine(clip(closingLine(report), 2000)) + stale)),
  ];
}
