import type { Outcome } from '../report.js';
import { outcomeWords } from '../words.js';

const strokes: Readonly<Record<Outcome, string>> = {
  pass: 'M2 6.5 5 9.5 10.5 2.5',
  fail: 'M2.5 2.5 9.5 9.5M9.5 2.5 2.5 9.5',
  warn: 'M6 2V7M6 10V10.2',
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
