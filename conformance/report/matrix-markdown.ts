import { clip, markdownLine } from './escape.js';
import { markdownTable } from './markdown.js';
import type { Matrix, MatrixOutcome } from './matrix.js';
import { outcomeWords, stepTitles, verdictWords } from './words.js';

/** The comparison as Markdown tables; rows that differ are marked. */
export function matrixMarkdown({ title, differing, columns, requirements, observations, profiles }: Matrix): string {
  const names = columns.map(({ name }) => line(name));
  const mark = ({ differs }: { readonly differs: boolean }) => (differs ? 'differs' : '');
  const answers = observations.map((each) => [
    mark(each),
    line(each.question),
    ...each.answers.map((answer) => (answer === null ? 'not observed' : line(answer))),
  ]);
  return `${[
    `## ${title}`,
    markdownTable(
      ['', ...names],
      [
        ['Verdict', ...columns.map(({ verdict }) => `**${verdictWords[verdict]}**`)],
        ['Requirements', ...columns.map(({ totals }) => totals)],
        ['Target', ...columns.map(({ target }) => line(target))],
      ],
    ),
    ...profiles.map(line),
    `### Requirements\n\n${differing}. What is violated stands first.`,
    markdownTable(
      ['', 'Requirement', 'Level', 'Step', 'Violated by', ...names],
      requirements.map((each) => [
        ...[mark(each), markdownLine(each.id), each.level, stepTitles[each.step], each.violatedBy],
        ...each.outcomes.map(cell),
      ]),
    ),
    ...(answers.length === 0 ? [] : ['### Observations, not judged', markdownTable(['', 'Left open by the protocol', ...names], answers)]),
  ].join('\n\n')}\n`;
}

function cell(outcome: MatrixOutcome): string {
  if (outcome === null) return 'not judged';
  return outcome === 'fail' ? '**failed**' : outcomeWords[outcome];
}

function line(text: string): string {
  return markdownLine(clip(text, 300));
}
