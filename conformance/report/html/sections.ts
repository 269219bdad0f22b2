import { baselineText } from '../baseline.js';
import { clip, html } from '../escape.js';
import type { Outcome, Report } from '../report.js';
import { byStep, skippedCount, untestedByReason, withOutcome, worstFirst } from '../summary.js';
import { skippedBecause, tallyWords } from '../words.js';
import { icon } from './badge.js';
import { copyable } from './evidence.js';
import { finding } from './finding.js';
import { group } from './requirement.js';

/** A section of the page; empty when there is nothing in it. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: string;
}

/** What failed, the worst first. */
export function findings(report: Report, json: string | undefined): Section {
  const told = { given: report.profile?.headers ?? [], json };
  const groups = (['fail', 'warn', 'known-failure'] as const).map((outcome) => {
    const rows = worstFirst(withOutcome(report, outcome));
    return rows.length === 0 ? '' : part(outcome, tallyWords(outcome, rows.length), rows.map((row) => finding(row, told)).join(''));
  });
  // Without a verdict nothing was judged, so that nothing found says nothing.
  const nothing = report.verdict === 'conformant' ? '<p class="note">No failure and no warning.</p>' : '';
  return { id: 'findings', title: 'What was found', body: groups.join('') || nothing };
}

/** The requirements without a finding: untested ones under their reason, the others under their step. */
export function others(report: Report): Section {
  const untested = untestedByReason(report).map(({ reason, requirements }) =>
    group(reason, requirements, requirements.length > 4 ? '' : requirements.map(({ id }) => id).join(', ')),
  );
  const steps = byStep(withOutcome(report, 'pass')).map(({ title, requirements }) => group(title, requirements));
  const ids = report.skipped.map((id) => `<span class="mono">${html(id)}</span>`).join(', ');
  const parts = [
    untested.length === 0 ? '' : part('untested', tallyWords('untested', withOutcome(report, 'untested').length), untested.join('')),
    steps.length === 0 ? '' : part('pass', tallyWords('pass', withOutcome(report, 'pass').length), steps.join('')),
    ids === '' ? '' : `<h3 id="skipped">Skipped: ${skippedCount(report)}</h3><p class="note">${skippedBecause}</p><p>${ids}</p>`,
  ];
  const body = parts.join('');
  const search = `<form class="search" role="search" hidden><label for="search">Search</label><input type="search" id="search" placeholder="an id, a word, MUST" autocomplete="off" spellcheck="false"><span class="shown" role="status"></span></form>`;
  return { id: 'others', title: 'The other requirements', body: body === '' ? '' : search + body };
}

export function observations(report: Report): Section {
  const rows = report.observations.map(
    ({ question, answer, evidence }) =>
      `<tr><th scope="row">${html(question)}</th><td>${html(clip(answer, 1000))}</td><td class="muted">${html(clip(evidence, 1000))}</td></tr>`,
  );
  const table = `<p class="note">The protocol leaves these points open. They are answered here, never judged.</p><table class="stack"><thead><tr><th scope="col">Question</th><th scope="col">This target</th><th scope="col">Seen</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
  return { id: 'observations', title: 'Observations', body: rows.length === 0 ? '' : table };
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

function part(outcome: Outcome, title: string, body: string): string {
  return `<section class="part is-${outcome}" aria-labelledby="${outcome}"><h3 id="${outcome}">${icon(outcome)}${title}</h3>${body}</section>`;
}
