import { count } from '../../spec/index.js';
import { clip, html } from './escape.js';
import { answers, detail } from './html/matrix-details.js';
import { matrixScript } from './html/matrix-script.js';
import { matrixStyles } from './html/matrix-styles.js';
import { page } from './html/page.js';
import { anchor } from './html/requirement.js';
import { frameStyles } from './html/styles.js';
import { type Matrix, type MatrixColumn, type MatrixRequirement, totals } from './matrix.js';
import type { Outcome } from './report.js';
import { targetName } from './target-words.js';
import { outcomeWords, verdictTones, verdictWords } from './words.js';

/** The comparison as one page that needs nothing else: a dense table, and below it what each cell stands for. */
export function matrixHtml(matrix: Matrix): string {
  const { implementations, requirements, observations } = matrix;
  const title = `${count(implementations.length, 'service')} side by side`;
  const differing = requirements.filter(({ differs }) => differs).length;
  return page({
    title,
    styles: frameStyles + matrixStyles,
    script: matrixScript,
    body: `<header class="top"><h1>${title}</h1>
<p>${differing} of ${count(requirements.length, 'requirement')} ${differing === 1 ? 'differs' : 'differ'}</p>
${matrix.profiles.map((words) => `<p>${html(clip(words, 500))}</p>`).join('')}<label class="only" hidden><input type="checkbox" id="only"> only what differs</label>
<p class="legend">${legend(matrix)}</p></header>
<main>
<div class="scroll" tabindex="0" role="region" aria-label="Requirements by service"><table>${head(implementations)}${bodies(requirements)}</table></div>
<section><h2>The services</h2>${services(implementations)}</section>
${observations.length === 0 ? '' : `<section><h2>Observations</h2><p class="note">The protocol leaves these points open. They are answered here, never judged.</p>${answers(matrix)}</section>`}
<section><h2>Requirement by requirement</h2>${requirements.map((row) => detail(row, matrix)).join('')}</section>
</main>
<button type="button" id="close" hidden>Close</button>`,
  });
}

type Cell = MatrixRequirement['outcomes'][number];

const letters: Readonly<Record<Outcome | 'skipped', string>> = {
  fail: 'F',
  warn: 'W',
  'known-failure': 'K',
  untested: 'U',
  skipped: 'S',
  pass: 'P',
};
const order = Object.keys(letters) as (keyof typeof letters)[];

/** The letters that the table has, the worst first. */
function legend({ requirements }: Matrix): string {
  const there = new Set<Cell>(requirements.flatMap(({ outcomes }) => outcomes));
  return order
    .filter((outcome) => there.has(outcome))
    .map((outcome) => `<span><b class="cell is-${outcome}">${letters[outcome]}</b> ${wordOf(outcome)}</span>`)
    .join('');
}

function head(columns: readonly MatrixColumn[]): string {
  const cells = columns.map(({ name, verdict, counts, skipped }) => {
    const sums = order
      .map((outcome) => [outcome === 'skipped' ? skipped : counts[outcome], letters[outcome]] as const)
      .filter(([number, letter]) => number > 0 && letter !== 'P')
      .map(([number, letter]) => `${number}${letter}`);
    return `<th scope="col" title="${html(clip(name, 200))}"><span class="name">${html(clip(name, 200))}</span><b class="is-${verdictTones[verdict]}">${verdictWords[verdict]}</b><span class="sums">${sums.join(' ') || `${counts.pass}P`}</span></th>`;
  });
  return `<thead><tr><th scope="col">Requirement</th>${cells.join('')}</tr></thead>`;
}

/** One body a step: the rule between them is the only mark, since the ids begin with the step. */
function bodies(requirements: readonly MatrixRequirement[]): string {
  const steps = [...new Set(requirements.map(({ step }) => step))];
  return steps
    .map(
      (step) =>
        `<tbody>${requirements
          .filter((each) => each.step === step)
          .map(requirementRow)
          .join('')}</tbody>`,
    )
    .join('');
}

function requirementRow({ id, level, outcomes, differs }: MatrixRequirement): string {
  return `<tr class="row${differs ? ' differs' : ''}"><th scope="row"><a href="#${anchor(id)}">${html(id)}</a> <span class="level">${level}</span></th>${outcomes.map(cell).join('')}</tr>`;
}

function cell(outcome: Cell): string {
  if (outcome === null) return '<td><span class="unseen">not judged</span></td>';
  return `<td class="cell is-${outcome}"><span aria-hidden="true">${letters[outcome]}</span><span class="unseen">${wordOf(outcome)}</span></td>`;
}

function wordOf(outcome: Outcome | 'skipped'): string {
  return outcome === 'skipped' ? outcome : outcomeWords[outcome];
}

function services(columns: readonly MatrixColumn[]): string {
  const items = columns.map(
    (column) =>
      `<li><b>${html(clip(column.name, 200))}</b> <span class="mono">${html(clip(targetName(column.target), 300))}</span> <b class="outcome is-${verdictTones[column.verdict]}">${verdictWords[column.verdict]}</b> <span class="muted">${totals(column)}</span></li>`,
  );
  return `<ul class="services">${items.join('')}</ul>`;
}
