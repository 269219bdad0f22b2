import { count } from '../../../spec/index.js';
import { clip, html } from '../escape.js';
import { factsOf } from '../fields.js';
import type { ReportCheck, ReportRequirement } from '../report.js';
import { counterexamples, foundWords } from '../summary.js';
import { icon } from './badge.js';
import { diagram } from './diagram.js';
import { folded, repetition, versus } from './evidence.js';
import { anchor, checkList, pairs } from './requirement.js';

/** What findings are told with: the headers that diagrams show, and the file of the report in JSON, where there is one. */
interface Telling {
  readonly given: readonly string[];
  readonly json: string | undefined;
}

/** A requirement that is violated: what was expected and what came, the advice, and the exchanges as a diagram with the headers given. */
export function finding(row: ReportRequirement, { given, json }: Telling): string {
  const [first, ...others] = counterexamples(row);
  const facts: [string, string | undefined][] = [
    ['Advice', row.hint],
    [row.outcome === 'known-failure' ? 'Accepted' : 'Reason', row.reason],
    ...(first === undefined ? [] : details(first)),
    ['Note', row.disagreement],
    ['Clause', `Section ${row.section}`],
  ];
  const further = others.map(
    (check, index) =>
      `<h5>Counterexample ${index + 2} of ${others.length + 1}</h5>${seen(check)}${pairs(details(check))}${drawing(check, row, given)}${repetition(check, json)}`,
  );
  const drawn = first === undefined ? '' : drawing(first, row, given);
  const failed = row.outcome === 'fail';
  const folds = [
    failed ? '' : drawn,
    first === undefined ? '' : repetition(first, json),
    folded(count(row.checks.length, 'check'), checkList(row.checks)),
    further.length === 0 ? '' : folded(`${count(further.length, 'more way', 'more ways')} in which it fails`, further.join('')),
  ];
  return `<article class="finding is-${row.outcome}" id="${anchor(row.id)}">
<h4><span class="outcome">${icon(row.outcome)}</span><span class="id">${html(row.id)}</span><span class="level">${row.level}</span></h4>
<p class="says">${html(row.statement)}</p>
${first === undefined ? '' : seen(first)}
<div class="${failed ? 'halves' : ''}">${pairs(facts)}${failed ? drawn : ''}</div>
<div class="folds">${folds.join('')}</div>
</article>`;
}

function seen(check: ReportCheck): string {
  const found = foundWords(check);
  return `${found === undefined ? '' : `<p class="found">${html(clip(found, 4000))}</p>`}${versus(check)}`;
}

function details(check: ReportCheck): [string, string][] {
  return factsOf(check).flatMap(({ label, text }) => (label === 'Expected' || label === 'Actual' ? [] : [[label, text]]));
}

/** Open at once where a MUST failed, folded elsewhere. */
function drawing(check: ReportCheck, { outcome }: ReportRequirement, given: readonly string[]): string {
  if (check.exchanges.length === 0) return '';
  return `<details class="drawing"${outcome === 'fail' ? ' open' : ''}><summary>What was sent and what came</summary>${diagram(check, outcome, given)}</details>`;
}
