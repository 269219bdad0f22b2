import { clip, html } from './escape.js';
import { matrixScript } from './html/matrix-script.js';
import { matrixStyles } from './html/matrix-styles.js';
import { page } from './html/page.js';
import { badge } from './html/requirement.js';
import { styles } from './html/styles.js';
import { type Matrix, type MatrixRequirement, totals } from './matrix.js';
import { targetName } from './target-words.js';
import { count, stepTitles, verdictTones, verdictWords } from './words.js';

/** The comparison as one page that needs nothing else. */
export function matrixHtml(matrix: Matrix): string {
  const title = `${count(matrix.implementations.length, 'implementation')} side by side`;
  const differing = matrix.requirements.filter(({ differs }) => differs).length;
  return page({
    title,
    styles: styles + matrixStyles,
    script: matrixScript,
    body: `<div class="frame wide">
<header class="masthead"><p class="kicker"><b>hydrauth</b> comparison</p><h1>${title}</h1>
<p class="lead">${count(differing, 'requirement differs', 'requirements differ')} between them.</p>
<label class="only" hidden><input type="checkbox" id="only"> Show only the rows that differ</label></header>
<main>
<h2 id="requirements">Requirements</h2>
${scrollable('requirements', `${head(matrix, 'Requirement')}${summary(matrix)}${bodies(matrix)}`)}
${observations(matrix)}
</main></div>`,
  });
}

function head({ implementations }: Matrix, first: string): string {
  const cells = implementations.map(
    ({ name, target }) => `<th scope="col"><b>${html(clip(name, 200))}</b><span>${html(clip(targetName(target), 300))}</span></th>`,
  );
  return `<thead><tr><th scope="col">${first}</th>${cells.join('')}</tr></thead>`;
}

function summary({ implementations }: Matrix): string {
  const cells = implementations.map(
    (column) =>
      `<td><b class="verdict is-${verdictTones[column.verdict]}">${verdictWords[column.verdict]}</b><span>${totals(column)}</span></td>`,
  );
  return `<tbody><tr class="sum"><th scope="row">Verdict</th>${cells.join('')}</tr></tbody>`;
}

function bodies({ requirements, implementations }: Matrix): string {
  const steps = [...new Set(requirements.map(({ step }) => step))];
  return steps
    .map((step) => {
      const rows = requirements.filter((each) => each.step === step).map(requirementRow);
      return `<tbody><tr class="group"><th scope="rowgroup" colspan="${implementations.length + 1}">${html(stepTitles[step])}</th></tr>${rows.join('')}</tbody>`;
    })
    .join('');
}

function requirementRow({ id, level, statement, outcomes, differs }: MatrixRequirement): string {
  const cells = outcomes.map((outcome) => `<td>${cell(outcome)}</td>`);
  return `<tr class="row${differs ? ' differs' : ''}"><th scope="row"><span class="id">${html(id)}</span> <span class="muted">${level}</span>${differs ? ' <em>differs</em>' : ''}<span class="says">${html(clip(statement, 600))}</span></th>${cells.join('')}</tr>`;
}

function cell(outcome: MatrixRequirement['outcomes'][number]): string {
  return outcome === null || outcome === 'skipped' ? `<span class="muted">${outcome ?? 'not judged'}</span>` : badge(outcome);
}

function observations(matrix: Matrix): string {
  if (matrix.observations.length === 0) return '';
  const rows = matrix.observations.map(({ question, answers, differs }) => {
    const cells = answers.map(
      (answer) => `<td>${answer === null ? '<span class="muted">not observed</span>' : html(clip(answer, 1000))}</td>`,
    );
    return `<tr class="row${differs ? ' differs' : ''}"><th scope="row">${html(question)}${differs ? ' <em>differs</em>' : ''}</th>${cells.join('')}</tr>`;
  });
  return `<h2 id="observations">Observations</h2><p class="note">The protocol leaves these points open. They are answered here, never judged.</p>${scrollable('observations', `${head(matrix, 'Question')}<tbody>${rows.join('')}</tbody>`)}`;
}

function scrollable(labelledBy: string, rows: string): string {
  return `<div class="scroll" tabindex="0" role="region" aria-labelledby="${labelledBy}"><table class="matrix">${rows}</table></div>`;
}
