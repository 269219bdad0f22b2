import { clip, oneLine } from '../escape.js';
import type { Report, ReportRequirement } from '../report.js';
import { withOutcome } from '../summary.js';
import { beside, indent, wrap } from './layout.js';
import type { Look } from './look.js';
import { outcomeStyle } from './paint.js';

const marks = { pass: 'pass', fail: 'FAIL', warn: 'warn', untested: 'untested', 'known-failure': 'known' } as const;
const leftWidth = 18;

/** Every requirement of a step: how it ended, and what a pass rests upon. */
export function everyRequirement(requirements: readonly ReportRequirement[], { paint, width }: Look): string[] {
  return requirements.flatMap(({ id, level, outcome, restsOn, statement }) => {
    const [first = '', ...others] = wrap(`${oneLine(id)}  ${oneLine(restsOn ?? statement)}`, Math.max(20, width - leftWidth));
    const head = `  ${paint(outcomeStyle[outcome], marks[outcome].padEnd(9))}${paint('dim', level.padEnd(7))}${first}`;
    return [head, ...indent(others, leftWidth + 2)];
  });
}

export function passedInPart(report: Report, { paint, width }: Look): string[] {
  const parts = withOutcome(report, 'pass').filter(({ checks }) => checks.some(({ outcome }) => outcome === 'untested'));
  if (parts.length === 0) return [];
  const lines = parts.flatMap(({ id, restsOn = '' }) => wrap(oneLine(clip(`${id}: ${restsOn}`, 1000)), width - 2));
  return [paint('bold', `Passed in part (${parts.length})`), ...indent(lines, 2)];
}

export function observations(report: Report, { paint, width }: Look): string[] {
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
