import { clip, html } from '../escape.js';
import type { ReportCheck, ReportRequirement } from '../report.js';
import { outcomeWords } from '../words.js';
import { badge, icon } from './badge.js';

/** Requirements that need no attention, folded under what they share. */
export function group(title: string, rows: readonly ReportRequirement[], names = ''): string {
  const named = names === '' ? '' : ` <span class="mono muted">${html(clip(names, 200))}</span>`;
  return `<details class="group"><summary><b>${rows.length}</b><span>${html(clip(title, 2000))}${named}</span></summary>${rows.map(requirement).join('')}</details>`;
}

export function anchor(id: string): string {
  return `r-${html(id)}`;
}

/** Names and what is said of them; what is undefined or empty is left out. */
export function pairs(facts: readonly (readonly [label: string, text: string | undefined])[]): string {
  const rows = facts.flatMap(([label, text]) =>
    text === undefined || text === ''
      ? []
      : [
          `<dt>${label}</dt>`,
          ...clip(text, 4000)
            .split('\n')
            .map((line) => `<dd>${html(line)}</dd>`),
        ],
  );
  return rows.length === 0 ? '' : `<dl class="pairs">${rows.join('')}</dl>`;
}

export function checkList(checks: readonly ReportCheck[]): string {
  const items = checks.map(
    ({ id, engine, outcome }) => `<li>${badge(outcome)} <span class="mono">${html(clip(id, 300))}</span> (${engine})</li>`,
  );
  return `<ul class="checks">${items.join('')}</ul>`;
}

function requirement(row: ReportRequirement): string {
  const facts = pairs([
    ['Rests on', row.restsOn],
    ['Advice', row.outcome === 'pass' ? undefined : row.hint],
    ['Clause', `Section ${row.section}`],
  ]);
  return `<details class="req is-${row.outcome}" id="${anchor(row.id)}">
<summary><span class="outcome">${icon(row.outcome)}<span class="unseen">${outcomeWords[row.outcome]}</span></span><span class="statement"><span class="id">${html(row.id)}</span> <span class="says">${html(row.statement)}</span></span><span class="level">${row.level}</span></summary>
<div class="more">${facts}${checkList(row.checks)}</div></details>`;
}
