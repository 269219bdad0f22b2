import { clip, oneLine, visible } from '../escape.js';
import { type Field, violationFields } from '../fields.js';
import type { ReportRequirement } from '../report.js';
import { scriptWords } from '../words.js';
import { indent, labelled } from './layout.js';
import type { Paint } from './paint.js';

const margin = 4;
const labelWidth = 10;

/** A violation explained. A violation that does not fail the run gets no script, so that those which do stand out. */
export function violation(requirement: ReportRequirement, number: number, { width, paint }: { width: number; paint: Paint }): string[] {
  const isFailure = requirement.outcome === 'fail';
  const row = ({ label, text, script }: Field): string[] => {
    if (script === true) return [paint('dim', label), ...indent(visible(scriptWords(text, 10_000)).split('\n'), 2)];
    const [first = '', ...others] = labelled(label, visible(clip(text, 2000)), { width: width - margin, labelWidth });
    return [`${paint('dim', first.slice(0, labelWidth))}${first.slice(labelWidth)}`, ...others];
  };
  const fields = violationFields(requirement).filter(({ script }) => isFailure || script !== true);
  return [
    `${paint(isFailure ? 'red' : 'yellow', `${number}.`)} ${paint('bold', oneLine(requirement.id))}`,
    ...indent(fields.flatMap(row), margin),
    '',
  ];
}
