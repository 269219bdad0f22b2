import { count } from '../../spec/index.js';
import { entriesText } from './baseline.js';
import { type Document, documentOf, type FindingGroup, type StepRows } from './document.js';
import { clip, markdownBlock, markdownLine } from './escape.js';
import { explained } from './finding.js';
import type { Matrix, MatrixOutcome } from './matrix.js';
import type { Report } from './report.js';
import { outcomeWords, stepTitles, verdicts } from './words.js';

/** GitHub refuses comments of more than 65,536 characters. */
const limit = 58_000;

type Cells = readonly (string | number)[];

/** A table in Markdown. The caller escapes the cells. */
export function markdownTable(head: Cells, rows: readonly Cells[], rule: Cells = head.map(() => '---')): string {
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The report as a comment on a pull request: the verdict first, the rest folded away. */
export function markdownReport(report: Report, { json }: { readonly json?: string | undefined } = {}): string {
  const document = documentOf(report, json);
  const { findings, lists, passed, observations, baseline } = document;
  const rests = passed.flatMap(({ rows }) => rows).flatMap(({ id, restsOn }) => (restsOn === undefined ? [] : [`${id}: ${restsOn}`]));
  const answers = observations.map(({ question, answer, evidence }) => [question, answer, evidence].map((text) => line(text)));
  const observed = answers.length === 0 ? '' : markdownTable(['Left open by the protocol', 'This target', 'Seen'], answers);
  const sections = [
    heading(document),
    stepTable(document.steps),
    ...findings.flatMap(violations),
    ...lists.flatMap(({ title, lines }) => folded(title, listOf(lines.slice(0, 50)))),
    ...folded(`What each pass is based on (${rests.length})`, listOf(rests)),
    ...folded(`Observations, not judged (${answers.length})`, observed),
    ...folded('Entries for a baseline', baseline.length === 0 ? '' : pre(entriesText(baseline))),
  ];
  return `${whatFits(sections).join('\n\n')}\n`;
}

/** Keeps the sections that fit whole, and says how many do not. */
function whatFits(sections: readonly string[]): string[] {
  let length = 0;
  const kept = sections.filter((section) => {
    length += section.length + 2;
    return length <= limit;
  });
  const left = sections.length - kept.length;
  const rest = `${count(left, 'more part')} of this report ${left === 1 ? 'does' : 'do'} not fit here; the JSON and HTML reports have everything.`;
  return left === 0 ? kept : [...kept, rest];
}

function heading({ headline, target, facts }: Document): string {
  const { word, sentence, tallies, cases, took } = headline;
  const found = [...tallies.map(([, words]) => words), ...cases].join(', ');
  return [
    `## ${word}: <code>${line(target)}</code>`,
    `**${line(sentence)}** ${found}; ${took.join(' in ')}.`,
    `${facts.map(({ label, text }) => `${label}: ${line(text)}`).join('; ')}.`,
  ].join('\n\n');
}

function stepTable(steps: readonly StepRows[]): string {
  const all = { passed: 'pass', failed: 'fail', known: 'known-failure', warnings: 'warn', flaky: 'flaky', untested: 'untested' } as const;
  const isFlaky = steps.some(({ counts }) => counts.flaky > 0);
  const columns = Object.entries(all).filter(([name]) => name !== 'flaky' || isFlaky);
  const rows = steps.map(({ title, counts }) => [title, ...columns.map(([, outcome]) => counts[outcome] || '')]);
  return markdownTable(['Step', ...columns.map(([name]) => name)], rows, ['---', ...columns.map(() => '---:')]);
}

function violations({ title, findings }: FindingGroup): string[] {
  return [
    `### ${title} (${findings.length})`,
    ...findings.flatMap((finding) =>
      folded(`<b>${line(finding.row.id)}</b>: ${line(finding.row.statement)}`, pre(explained(finding, { text: 1200, script: 4000 }))),
    ),
  ];
}

/** A folded part, unless there is nothing in it. Both texts are escaped already. */
function folded(summary: string, body: string): string[] {
  return body === '' ? [] : [['<details>', `<summary>${summary}</summary>`, '', body, '', '</details>'].join('\n')];
}

const listOf = (items: readonly string[]) => items.map((item) => `- ${line(item, 2000)}`).join('\n');

/** Markdown leaves a <pre> block alone up to its closing tag. */
const pre = (text: string) => `<pre>\n${markdownBlock(text)}\n</pre>`;

const line = (text: string, characters = 400) => markdownLine(clip(text, characters));

/** The comparison as Markdown tables; rows that differ are marked. */
export function matrixMarkdown({ title, differing, columns, requirements, observations, profiles }: Matrix): string {
  const short = (text: string) => line(text, 300);
  const names = columns.map(({ name }) => short(name));
  const mark = ({ differs }: { readonly differs: boolean }) => (differs ? 'differs' : '');
  const told = [
    ['Verdict', ...columns.map(({ verdict }) => `**${verdicts[verdict].word}**`)],
    ['Requirements', ...columns.map(({ totals }) => totals)],
    ['Target', ...columns.map(({ target }) => short(target))],
  ];
  const rows = requirements.map((each) => [
    ...[mark(each), markdownLine(each.id), each.level, stepTitles[each.step], each.violatedBy],
    ...each.outcomes.map(cell),
  ]);
  const answers = observations.map((each) => [
    ...[mark(each), short(each.question)],
    ...each.answers.map((answer) => (answer === null ? 'not observed' : short(answer))),
  ]);
  return `${[
    `## ${title}`,
    markdownTable(['', ...names], told),
    ...profiles.map(short),
    `### Requirements\n\n${differing}. What is violated stands first.`,
    markdownTable(['', 'Requirement', 'Level', 'Step', 'Violated by', ...names], rows),
    ...(answers.length === 0 ? [] : ['### Observations, not judged', markdownTable(['', 'Left open by the protocol', ...names], answers)]),
  ].join('\n\n')}\n`;
}

const cell = (outcome: MatrixOutcome) => (outcome === null ? 'not judged' : outcome === 'fail' ? '**failed**' : outcomeWords[outcome]);
