import { clip, html } from '../escape.js';
import type { Outcome, Report, ReportCheck, ReportRequirement } from '../report.js';
import { byStep, counterexamples, countOutcomes, foundWords, tally } from '../summary.js';
import { outcomeWords } from '../words.js';
import { comparison, repetition } from './evidence.js';

export function steps({ requirements, profile }: Pick<Report, 'requirements' | 'profile'>): string {
  const drawn = profile?.headers ?? [];
  return byStep(requirements)
    .map(
      ({ step, title, requirements: rows }) =>
        `<section class="step" aria-labelledby="step-${step}"><header><h3 id="step-${step}">${html(title)}</h3><span>${tally(countOutcomes(rows)).join(', ')}</span></header>${rows.map((row) => requirement(row, drawn)).join('')}</section>`,
    )
    .join('');
}

export function anchor(id: string): string {
  return `r-${html(id)}`;
}

/** A failure is open from the start. */
function requirement(row: ReportRequirement, drawn: readonly string[]): string {
  const open = row.outcome === 'fail' ? ' open' : '';
  return `<details class="req is-${row.outcome}" id="${anchor(row.id)}" data-outcome="${row.outcome}" data-level="${row.level}"${open}>
<summary>${badge(row.outcome)}<span class="statement"><span class="id">${html(row.id)}</span> <span class="says">${html(row.statement)}</span></span><span class="level">${row.level}</span></summary>
<div class="inside">${inside(row, drawn)}</div></details>`;
}

function inside(row: ReportRequirement, drawn: readonly string[]): string {
  const facts = [
    ['Clause', `Section ${row.section}`],
    ['Advice', row.outcome === 'pass' ? undefined : row.hint],
    [row.outcome === 'known-failure' ? 'Accepted' : 'Reason', row.reason],
    ['Note', row.disagreement],
    ['Rests on', row.restsOn],
    ['Checks', row.checks.length === 0 ? undefined : checkList(row.checks)],
  ].flatMap(([label, text]) => (text === undefined ? [] : [`<dt>${label}</dt><dd>${html(clip(text, 4000))}</dd>`]));
  const list = `<dl class="pairs">${facts.join('')}</dl>`;
  const [first, ...others] = counterexamples(row);
  if (first === undefined) return list;
  const further = others.map(
    (check, index) => `<h4>Counterexample ${index + 2} of ${others.length + 1}</h4>${seen(check)}${repetition(check, drawn)}`,
  );
  return `${seen(first)}<h4>The requirement</h4>${list}${repetition(first, drawn)}${further.join('')}`;
}

function seen(check: ReportCheck): string {
  const found = foundWords(check);
  return `${found === undefined ? '' : `<p class="found">${html(clip(found, 4000))}</p>`}${comparison(check)}`;
}

function checkList(checks: readonly ReportCheck[]): string {
  return checks.map(({ id, engine, outcome }) => `${id} (${engine}): ${outcomeWords[outcome]}`).join('; ');
}

const strokes: Readonly<Record<Outcome, string>> = {
  pass: 'M2 6.5 5 9.5 10.5 2.5',
  fail: 'M2.5 2.5 9.5 9.5M9.5 2.5 2.5 9.5',
  warn: 'M6 2V7M6 10V10.2',
  untested: 'M2.5 6H9.5',
  'known-failure': 'M2 7.5C4 3.5 8 8.5 10 4.5',
};

export function badge(outcome: Outcome): string {
  return `<span class="outcome is-${outcome}"><svg viewBox="0 0 12 12" aria-hidden="true"><path d="${strokes[outcome]}"/></svg>${outcomeWords[outcome]}</span>`;
}
