import { difference, type Piece } from '../diff.js';
import { clip, oneLine, visible } from '../escape.js';
import { type Field, violationFields } from '../fields.js';
import type { ReportRequirement } from '../report.js';
import { indent, labelled, wrap } from './layout.js';
import type { Look } from './look.js';

const margin = 3;
const labelWidth = 10;
/** So much of one field is shown where a person reads; a pipe gets it whole. */
const shownCharacters = 2000;

/** A violation explained. */
export function violation(requirement: ReportRequirement, number: number, look: Look): string[] {
  const { paint, width, verbose, json } = look;
  const [, ...fields] = violationFields(requirement, json).filter(({ only }) => only !== (verbose ? 'short' : 'long'));
  const { outcome, id, level, section, statement } = requirement;
  return [
    `${paint(outcome === 'fail' ? 'red' : 'yellow', `${number}.`)} ${paint('bold', oneLine(id))}  ${paint('dim', `${level}, section ${section}`)}`,
    ...indent(wrap(statement, width - margin), margin),
    ...indent(
      fields.flatMap((field, index) => row(field, look, fields[index - 1])),
      margin,
    ),
    '',
  ];
}

function row({ label, text, script }: Field, { paint, width, whole }: Look, before: Field | undefined): string[] {
  const shown = visible(whole || script === true ? text : clip(text, shownCharacters));
  if (script === true) return [paint('dim', label), ...indent(shown.trimEnd().split('\n'), 2)];
  const [first = '', ...others] = labelled(label, shown, { width: width - margin, labelWidth });
  const isActual = label === 'Actual' && before?.label === 'Expected' && others.length === 0;
  const marks = isActual ? marksBelow(visible(before.text), shown, width - margin - labelWidth) : '';
  return [
    `${paint('dim', first.slice(0, labelWidth))}${first.slice(labelWidth)}`,
    ...others,
    ...(marks === '' ? [] : [`${' '.repeat(labelWidth)}${paint('red', marks)}`]),
  ];
}

/** Marks below what came where it differs from what was expected, if both fit on a line and are much alike. */
function marksBelow(expected: string, actual: string, width: number): string {
  if (expected.length > width || actual.length > width || /\n/.test(expected + actual)) return '';
  const marks = (pieces: readonly Piece[]) => pieces.map(({ text, same }) => (same ? ' ' : '^').repeat(text.length)).join('');
  return marks(difference(expected, actual).actual).trimEnd();
}
