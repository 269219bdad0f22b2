import { count } from '../../spec/index.js';
import { clip, markdownLine } from './escape.js';
import { markdownTable } from './markdown-table.js';
import { type Matrix, type MatrixRequirement, totals } from './matrix.js';
import { targetName } from './target-words.js';
import { outcomeWords, stepTitles, verdictWords } from './words.js';

/** The comparison as Markdown tables; rows that differ are marked. */
export function matrixMarkdown({ implementations, requirements, observations, profiles }: Matrix): string {
  const names = implementations.map(({ name }) => line(name));
  const verdicts = implementations.map(({ verdict }) => `**${verdictWords[verdict]}**`);
  const targets = implementations.map(({ target }) => line(targetName(target)));
  const passed = implementations.map(totals);
  const rows = requirements.map(({ id, level, step, outcomes, differs }) => [
    differs ? 'differs' : '',
    markdownLine(id),
    level,
    stepTitles[step],
    ...outcomes.map(cell),
  ]);
  const answers = observations.map(({ question, answers: each, differs }) => [
    differs ? 'differs' : '',
    line(question),
    ...each.map((answer) => (answer === null ? 'not observed' : line(answer))),
  ]);
  const differing = requirements.filter(({ differs }) => differs).length;
  return `${[
    `## ${count(implementations.length, 'implementation')} side by side`,
    markdownTable(
      ['', ...names],
      [
        ['Verdict', ...verdicts],
        ['Requirements', ...passed],
        ['Target', ...targets],
      ],
    ),
    ...profiles.map(line),
    `### Requirements\n\n${count(differing, 'requirement differs', 'requirements differ')} between them.`,
    markdownTable(['', 'Requirement', 'Level', 'Step', ...names], rows),
    ...(answers.length === 0 ? [] : ['### Observations, not judged', markdownTable(['', 'Left open by the protocol', ...names], answers)]),
  ].join('\n\n')}\n`;
}

function cell(outcome: MatrixRequirement['outcomes'][number]): string {
  if (outcome === null || outcome === 'skipped') return outcome ?? 'not judged';
  return outcome === 'fail' ? '**failed**' : outcomeWords[outcome];
}

function line(text: string): string {
  return markdownLine(clip(text, 300));
}
