import { difference, type Parts } from '../diff.js';
import { clip, html, visible } from '../escape.js';
import type { Way } from '../finding.js';
import type { Outcome, ReportRequirement } from '../report.js';
import { lettered, letters, outcomeWords } from '../words.js';

/** The most of one value that a page shows; the JSON report has it whole. */
const valueLimit = 8000;

const strokes: Readonly<Record<Outcome, string>> = {
  pass: 'M2 6.5 5 9.5 10.5 2.5',
  fail: 'M2.5 2.5 9.5 9.5M9.5 2.5 2.5 9.5',
  warn: 'M6 2V7M6 10V10.2',
  flaky: 'M2 4 4.5 8 7 4 9.5 8',
  untested: 'M2.5 6H9.5',
  'known-failure': 'M2 7.5C4 3.5 8 8.5 10 4.5',
};

/** The sign of an outcome. A word must stand beside it, because screen readers skip it. */
export function icon(outcome: Outcome): string {
  return `<svg class="icon" viewBox="0 0 12 12" aria-hidden="true"><path d="${strokes[outcome]}"/></svg>`;
}

export function badge(outcome: Outcome): string {
  return `<span class="outcome is-${outcome}">${icon(outcome)}${outcomeWords[outcome]}</span>`;
}

/** What the letters of a table stand for that has these outcomes, the worst first. */
export function legend(outcomes: readonly (keyof typeof letters | null)[]): string {
  const there = lettered.filter((outcome) => outcomes.includes(outcome));
  const words = there.map((outcome) => `<span><b class="cell is-${outcome}">${letters[outcome]}</b> ${outcomeWords[outcome]}</span>`);
  return `<p class="legend">${words.join('')}</p>`;
}

/** Where a requirement, and where a point of the protocol text stands on a page. */
export const anchor = (id: string): string => `r-${html(id)}`;
export const place = (point: string): string => `c-${html(point)}`;

/** Names and what is said of them, line by line, and the clauses of a requirement; what is undefined or empty is left out. */
export function pairs(facts: readonly (readonly [label: string, text: string | undefined])[], of?: ReportRequirement): string {
  const entry = (label: string, lines: readonly string[]) => `<dt>${label}</dt>${lines.map((line) => `<dd>${line}</dd>`).join('')}`;
  const rows = [
    ...facts.flatMap(([label, text]) => (text === undefined || text === '' ? [] : [entry(label, clip(text, 4000).split('\n').map(html))])),
    ...(of === undefined ? [] : [entry('Clause', clausesOf(of))]),
  ];
  return rows.length === 0 ? '' : `<dl class="pairs">${rows.join('')}</dl>`;
}

/** Older reports name the sections only. */
function clausesOf({ section, clauses = [] }: ReportRequirement): string[] {
  if (clauses.length === 0) return [`Section ${html(section)}`];
  return clauses.map(({ point, says }) => `<a href="#${place(point)}">${html(point)}</a> ${html(says)}`);
}

/** What a check says beside expected and actual, and those two, with what differs marked. */
export function seen({ found, check: { expected, actual } }: Way): string {
  const shown = (text: string | null) => visible(clip(text ?? '', valueLimit));
  const marked = difference(shown(expected), shown(actual));
  const side = (label: string, text: string | null, [before, different, behind]: Parts) => {
    const mark = different === '' ? '' : `<mark>${html(different)}</mark>`;
    return text === null ? '' : `<div><dt>${label}</dt><dd class="value">${html(before)}${mark}${html(behind)}</dd></div>`;
  };
  const sides = expected === '' && actual === '' ? '' : side('Expected', expected, marked[0]) + side('Actual', actual, marked[1]);
  return `${found === undefined ? '' : `<p class="found">${html(clip(found, 4000))}</p>`}${sides === '' ? '' : `<dl class="versus">${sides}</dl>`}`;
}

export function folded(summary: string, body: string): string {
  return `<details class="more"><summary>${html(summary)}</summary>${body}</details>`;
}

export function copyable(text: string, label: string): string {
  return `<div class="script">${block(text, 20_000)}<button type="button" class="copy" aria-label="${html(label)}" hidden>Copy</button></div>`;
}

/** A block that scrolls must take the focus, so that the keyboard can scroll it. */
export function block(text: string, limit = valueLimit): string {
  return `<pre tabindex="0">${html(clip(text, limit).trimEnd())}</pre>`;
}
