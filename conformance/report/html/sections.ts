import { baselineText } from '../baseline.js';
import { clip, html } from '../escape.js';
import type { Report } from '../report.js';
import { counterexamples, untestedByReason, withOutcome } from '../summary.js';
import { skippedBecause } from '../words.js';
import { copyable } from './evidence.js';
import { anchor } from './requirement.js';

/** A section of the page; empty when there is nothing in it. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: string;
}

export function failures(report: Report): Section {
  const rows = [...withOutcome(report, 'fail'), ...withOutcome(report, 'known-failure'), ...withOutcome(report, 'warn')].map((row) => {
    const found = counterexamples(row)[0]?.message ?? row.statement;
    const kind = row.outcome === 'fail' ? '' : row.outcome === 'warn' ? 'Warning: ' : 'Known: ';
    return `<li><a href="#${anchor(row.id)}">${html(row.id)}</a> <span>${kind}${html(clip(found, 600))}</span></li>`;
  });
  return { id: 'failures', title: 'What was found', body: rows.length === 0 ? '' : `<ul class="failed">${rows.join('')}</ul>` };
}

export function observations(report: Report): Section {
  const rows = report.observations.map(
    ({ question, answer, evidence }) =>
      `<tr><th scope="row">${html(question)}</th><td>${html(clip(answer, 1000))}</td><td class="muted">${html(clip(evidence, 1000))}</td></tr>`,
  );
  const table = `<p class="note">The protocol leaves these points open. They are answered here, never judged.</p><table class="stack"><thead><tr><th scope="col">Question</th><th scope="col">This target</th><th scope="col">Seen</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
  return { id: 'observations', title: 'Observations', body: rows.length === 0 ? '' : table };
}

export function untested(report: Report): Section {
  const groups = untestedByReason(report).map(({ reason, requirements }) => {
    const links = requirements.map(({ id }) => `<a class="mono" href="#${anchor(id)}">${html(id)}</a>`);
    return `<dt>${html(clip(reason, 2000))}</dt><dd>${links.join(', ')}</dd>`;
  });
  return { id: 'untested', title: 'What was not tested', body: groups.length === 0 ? '' : `<dl class="reasons">${groups.join('')}</dl>` };
}

export function skipped({ skipped: ids }: Report): Section {
  const body = `<p class="note">${skippedBecause}</p><p>${ids.map((id) => `<span class="mono">${html(id)}</span>`).join(', ')}</p>`;
  return { id: 'skipped', title: 'What was skipped', body: ids.length === 0 ? '' : body };
}

export function remarks(report: Report): Section {
  const items = report.remarks.map((remark) => `<li>${html(clip(remark, 2000))}</li>`);
  return { id: 'remarks', title: 'Remarks', body: items.length === 0 ? '' : `<ul>${items.join('')}</ul>` };
}

export function baseline(report: Report): Section {
  const text = baselineText(report);
  const body = `<p class="note">To accept the failures for now, put these entries into a file, say why in each reason, and give the file with --baseline.</p>${copyable(text, 'Copy the baseline entries')}`;
  return { id: 'baseline', title: 'Entries for a baseline', body: text === '' ? '' : body };
}
