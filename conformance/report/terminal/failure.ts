import { chainWords } from '../chain-words.js';
import { clip, oneLine, visible } from '../escape.js';
import type { ReportCheck, ReportRequirement } from '../report.js';
import { foundWords, tellingCheck } from '../summary.js';
import { replayCommand, scriptWords, seedWords } from '../words.js';
import { indent, labelled, wrap } from './layout.js';
import type { Paint } from './paint.js';

/** A violation explained: the clause, what it asks, what came instead, how to mend it, how to see it again. */
export function violation(requirement: ReportRequirement, number: number, { width, paint }: { width: number; paint: Paint }): string[] {
  const check = tellingCheck(requirement);
  const style = requirement.outcome === 'fail' ? 'red' : 'yellow';
  const margin = 4;
  const inner = width - margin;
  const row = (label: string, text: string | null | undefined) =>
    text === null || text === undefined || text === ''
      ? []
      : labelled(label, visible(clip(text, 2000)), { width: inner, labelWidth: 10 }).map((line, index) =>
          index === 0 ? `${paint('dim', line.slice(0, 10))}${line.slice(10)}` : line,
        );
  return [
    `${paint(style, `${number}.`)} ${paint('bold', oneLine(requirement.id))}  ${paint('dim', `${requirement.level}, section ${oneLine(requirement.section)}`)}`,
    ...indent(
      [
        ...wrap(visible(requirement.statement), inner),
        ...row('Found', foundWords(check)),
        ...row('Expected', check?.expected),
        ...row('Actual', check?.actual),
        ...row('Example', check?.example),
        ...row('Advice', requirement.hint),
        ...row('Note', requirement.disagreement),
        ...row('Reason', requirement.outcome === 'known-failure' ? requirement.reason : undefined),
        ...(check === undefined ? [] : repetition(check, requirement.outcome === 'fail', paint, row)),
        ...row('Also', alsoFailed(requirement, check)),
      ],
      margin,
    ),
    '',
  ];
}

type Row = (label: string, text: string | null | undefined) => string[];

/** What does not fail the run gets no script here; it would drown what does. */
function repetition(check: ReportCheck, scripted: boolean, paint: Paint, row: Row): string[] {
  const seed = seedWords(check);
  return [
    ...row('Exchanges', chainWords(check.exchanges).join('\n')),
    ...row('Replay', `${replayCommand(check)}${seed === '' ? '' : `   (${seed})`}`),
    ...(check.curl === null || !scripted
      ? []
      : [paint('dim', 'By hand'), ...indent(visible(scriptWords(check.curl, 10_000)).split('\n'), 2)]),
  ];
}

function alsoFailed(requirement: ReportRequirement, told: ReportCheck | undefined): string {
  const others = requirement.checks.filter((check) => check.outcome === 'fail' && check !== told);
  if (others.length === 0) return '';
  return `failed in ${others.map((check) => `${check.id} (${check.engine})`).join(', ')}`;
}
