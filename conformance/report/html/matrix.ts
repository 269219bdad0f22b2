import { clip, html } from '../escape.js';
import type { Matrix, MatrixColumn, MatrixOutcome, MatrixRequirement } from '../matrix.js';
import { lettered, letters, outcomeWords, verdicts } from '../words.js';
import { matrixScript } from './matrix-script.js';
import { page } from './page.js';
import { anchor, badge, legend, seen } from './parts.js';

/** The comparison as one page that needs nothing else: a dense table, and below it what each cell stands for. */
export function matrixHtml(matrix: Matrix): string {
  const { title, differing, columns, requirements, observations, profiles } = matrix;
  const shownProfiles = profiles.map((words) => `<p>${html(clip(words, 500))}</p>`).join('');
  const judged = columns.map(
    (column) =>
      `<li><b>${nameOf(column)}</b> <span class="mono">${html(clip(column.target, 300))}</span> <b class="outcome is-${verdicts[column.verdict].tone}">${verdicts[column.verdict].word}</b> <span class="muted">${column.totals}</span></li>`,
  );
  return page({
    title,
    sheets: ['matrix.css'],
    script: matrixScript,
    body: `<header class="top"><h1>${title}</h1>
<p>${differing}</p>
${shownProfiles}<label class="only" hidden><input type="checkbox" id="only"> only what differs</label>
${legend(requirements.flatMap(({ outcomes }) => outcomes))}</header>
<main>
<div class="scroll" tabindex="0" role="region" aria-label="Requirements by service"><table>${head(columns)}${bodies(requirements)}</table></div>
<section><h2>What was judged</h2><ul class="services">${judged.join('')}</ul></section>
${observations.length === 0 ? '' : `<section><h2>Observations</h2><p class="note">The protocol leaves these points open. They are answered here, never judged.</p>${answers(matrix)}</section>`}
<section><h2>Requirement by requirement</h2>${requirements.map((row) => detail(row, columns)).join('')}</section>
</main>
<button type="button" id="close" hidden>Close</button>`,
  });
}

const nameOf = ({ name }: MatrixColumn) => html(clip(name, 200));

function head(columns: readonly MatrixColumn[]): string {
  const cells = columns.map((column) => {
    const { verdict, counts, skipped } = column;
    const sums = lettered
      .filter((outcome) => outcome !== 'pass')
      .map((outcome) => [outcome === 'skipped' ? skipped : counts[outcome], letters[outcome]] as const)
      .flatMap(([number, letter]) => (number > 0 ? [`${number}${letter}`] : []));
    return `<th scope="col" title="${nameOf(column)}"><span class="name">${nameOf(column)}</span><b class="is-${verdicts[verdict].tone}">${verdicts[verdict].word}</b><span class="sums">${sums.join(' ') || `${counts.pass}P`}</span></th>`;
  });
  return `<thead><tr><th scope="col">Requirement</th>${cells.join('')}</tr></thead>`;
}

/** What is violated has a body of its own, and then every step: the rule between them is the only mark, since the ids begin with the step. */
function bodies(requirements: readonly MatrixRequirement[]): string {
  const bodyOf = ({ violated, step }: MatrixRequirement) => (violated > 0 ? 'violated' : step);
  return [...new Set(requirements.map(bodyOf))]
    .map((body) => requirements.filter((each) => bodyOf(each) === body).map(requirementRow))
    .map((rows) => `<tbody>${rows.join('')}</tbody>`)
    .join('');
}

function requirementRow({ id, level, outcomes, violatedBy, differs }: MatrixRequirement): string {
  return `<tr class="row${differs ? ' differs' : ''}"><th scope="row"><a href="#${anchor(id)}">${html(id)}</a> <span class="level">${violatedBy} ${level}</span></th>${outcomes.map(cell).join('')}</tr>`;
}

function cell(outcome: MatrixOutcome): string {
  if (outcome === null) return '<td><span class="unseen">not judged</span></td>';
  return `<td class="cell is-${outcome}"><span aria-hidden="true">${letters[outcome]}</span><span class="unseen">${outcomeWords[outcome]}</span></td>`;
}

/** What every target did about one requirement, the worst first. The script shows it as a panel beside the table. */
function detail(row: MatrixRequirement, columns: readonly MatrixColumn[]): string {
  const { id, level, statement, hint, differs, outcomes, findings, violatedBy } = row;
  const having = (outcome: MatrixOutcome) =>
    columns.flatMap((column, index) => (outcomes[index] === outcome ? [{ index, name: nameOf(column) }] : []));
  const told = (['fail', 'warn', 'flaky', 'known-failure', 'untested'] as const).flatMap((outcome) =>
    having(outcome).map(({ index, name }) => {
      const finding = findings[index];
      const said = (finding?.ways ?? []).slice(0, 1).map(seen).join('');
      const why = finding?.row.reason === undefined ? '' : `<p class="muted">${html(clip(finding.row.reason, 1000))}</p>`;
      return `<div class="entry is-${outcome}" data-column="${index}"><h4><span class="service">${name}</span> ${badge(outcome)}</h4>${said}${why}</div>`;
    }),
  );
  const named = (['pass', 'skipped', null] as const).map((outcome) => {
    const list = having(outcome).map(({ index, name }) => `<span data-column="${index}">${name}</span>`);
    return list.length === 0 ? '' : `<p><b>${outcome === null ? 'not judged' : outcomeWords[outcome]}:</b> ${list.join(', ')}</p>`;
  });
  const advice = violatedBy === '' ? '' : `<p class="muted">${html(hint)}</p>`;
  return `<div class="detail row${differs ? ' differs' : ''}" id="${anchor(id)}" tabindex="-1" role="group" aria-labelledby="h-${html(id)}"><h3 id="h-${html(id)}"><span class="id">${html(id)}</span> <span class="level">${level}</span></h3><p>${html(clip(statement, 600))}</p>${advice}${told.join('')}${named.join('')}</div>`;
}

/** Each open question with its answers, and beside each answer who gave it. */
function answers({ observations, columns }: Matrix): string {
  const items = observations.map(({ question, answers: given, differs }) => {
    const kinds = [...new Set(given)].map((answer) => {
      const names = columns.filter((_, index) => given[index] === answer).map(nameOf);
      return `<dd>${answer === null ? 'not observed' : html(clip(answer, 1000))} <span class="muted">${names.join(', ')}</span></dd>`;
    });
    return `<div class="row${differs ? ' differs' : ''}"><dt>${html(question)}</dt>${kinds.join('')}</div>`;
  });
  return `<dl class="answers">${items.join('')}</dl>`;
}
