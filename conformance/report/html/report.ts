import { entriesText } from '../baseline.js';
import { type Document, documentOf } from '../document.js';
import { clip, html } from '../escape.js';
import type { Counts } from '../headline.js';
import type { Outcome, Report, ReportRequirement } from '../report.js';
import { outcomeWords, skippedBecause } from '../words.js';
import { checkList, findingHtml, often } from './finding.js';
import { page } from './page.js';
import { anchor, copyable, icon, pairs, place } from './parts.js';
import { script } from './script.js';

const order: readonly (Outcome | 'skipped')[] = ['fail', 'warn', 'flaky', 'known-failure', 'untested', 'pass', 'skipped'];

/** The report as one page that needs nothing else. What failed stands first; what was given to the run stands last. `json` is the same report in JSON, where it is written. */
export function htmlReport(report: Report, { json }: { readonly json?: string | undefined } = {}): string {
  const document = documentOf(report, json);
  const { headline, target, observations, remarks, baseline, facts } = document;
  const remarked = remarks.map((each) => `<li>${html(clip(each, 2000))}</li>`).join('');
  const accepting = `<p class="note">To accept the failures for now, save these entries in a file, write into each reason why, and give the file with --baseline.</p>${copyable(entriesText(baseline), 'Copy the baseline entries')}`;
  const sections = [
    section('findings', 'What was found', findings(document)),
    section('others', 'The other requirements', others(document)),
    section('observations', 'Observations', observations.length === 0 ? '' : answers(document)),
    section('remarks', 'Remarks', remarked === '' ? '' : `<ul>${remarked}</ul>`),
    section('baseline', 'Entries for a baseline', baseline.length === 0 ? '' : accepting),
    section('clauses', 'The protocol, clause by clause', clauses(document)),
    section('run', 'About this run', pairs(facts.map(({ label, text }) => [label, text]))),
  ];
  return page({
    title: `${headline.word}: ${target}`,
    sheets: ['report.css'],
    script,
    body: `<div class="frame">
${masthead(document)}
<main>
${sections.join('\n')}
</main>
<footer>${html(`${report.spec.title}, version ${report.spec.version}. Secrets are left out of this page.`)}</footer>
<div id="status" class="unseen" role="status"></div>
</div>`,
  });
}

function section(id: string, title: string, body: string): string {
  return body === '' ? '' : `<section id="${id}" aria-labelledby="title-${id}"><h2 id="title-${id}">${title}</h2>${body}</section>`;
}

/** What a reader wants first: the verdict, how much of what was found, and a list of that. Each count leads to its part of the page. */
function masthead({ headline, target, counts, findings: groups }: Document): string {
  const { word, sentence, tone, tallies, cases } = headline;
  const links = order.flatMap((outcome) => tallies.filter(([each]) => each === outcome && (each !== 'pass' || counts.pass > 0)));
  const filters = links.flatMap(([id, words]) => (id === 'skipped' ? [] : [`<option value="${id}">${words}</option>`]));
  const listed = groups.flatMap(({ findings: all }) => all);
  const index = listed.map(({ row, ways: [way] }) => {
    const came = way?.check.actual ?? way?.check.message ?? row.statement;
    return `<li class="is-${row.outcome}"><a href="#${anchor(row.id)}">${html(row.id)}</a> <span class="level">${row.level}</span> <span class="came">${html(clip(came, 160))}</span> ${often(way)}</li>`;
  });
  return `<header class="masthead">
<p class="kicker"><b>hydrauth</b> conformance report <span class="mono">${html(clip(target, 2000))}</span></p>
<h1 class="is-${tone}">${icon(tone)}${word}</h1>
<p class="lead">${html(clip(sentence, 2000))}${cases.map((words) => ` ${html(words)}.`).join('')}</p>
${bar(counts)}
<ul class="counts">${links.map(([id, words]) => `<li><a class="is-${id}" href="#${id}">${words.replace(/^\d+/, '<b>$&</b>')}</a></li>`).join('')}</ul>
<form class="search" role="search" hidden><label for="search">Filter</label><input type="search" id="search" placeholder="an id, a word, MUST" autocomplete="off" spellcheck="false"><select id="outcome" aria-label="Outcome"><option value="">every outcome</option>${filters.join('')}</select><span class="shown" role="status"></span></form>
${index.length === 0 ? '' : `<nav class="index" aria-label="Findings"><ol>${index.join('')}</ol></nav>`}
</header>`;
}

/** The shares of the outcomes as a bar. Screen readers skip it, because the counts beside it say the same. */
function bar(counts: Counts): string {
  let x = 0;
  const pieces = order.map((outcome) => {
    const width = counts.all === 0 || outcome === 'skipped' ? 0 : (counts[outcome] / counts.all) * 1000;
    const piece =
      width === 0 ? '' : `<rect class="is-${outcome}" x="${x.toFixed(1)}" width="${Math.max(2, width - 3).toFixed(1)}" height="6"/>`;
    x += width;
    return piece;
  });
  return `<svg class="bar" viewBox="0 0 1000 6" preserveAspectRatio="none" aria-hidden="true">${pieces.join('')}</svg>`;
}

/** What failed, the worst first. */
function findings({ findings: groups, carriers, headline }: Document): string {
  const parts = groups.map(({ outcome, title, findings: all }) =>
    part(outcome, `${title} (${all.length})`, all.map((each) => findingHtml(each, carriers)).join('')),
  );
  // Without a verdict nothing was judged, so that nothing found says nothing.
  return parts.join('') || (headline.tone === 'pass' ? '<p class="note">No failure and no warning.</p>' : '');
}

/** The requirements without a finding: untested ones under their reason, the others under their step. */
function others({ untested, passed, skipped, counts }: Document): string {
  const reasons = untested.map(({ reason, rows }) => group(reason, rows, rows.length > 4 ? '' : rows.map(({ id }) => id).join(', ')));
  const ids = skipped.ids.map((id) => `<span class="mono">${html(id)}</span>`).join(', ');
  return [
    reasons.length === 0 ? '' : part('untested', `Untested (${counts.untested})`, reasons.join('')),
    passed.length === 0 ? '' : part('pass', `Passed (${counts.pass})`, passed.map(({ title, rows }) => group(title, rows)).join('')),
    ids === '' ? '' : `<h3 id="skipped">${skipped.title}</h3><p class="note">${skippedBecause}</p><p>${ids}</p>`,
  ].join('');
}

function part(outcome: Outcome, title: string, body: string): string {
  return `<section class="part is-${outcome}" aria-labelledby="${outcome}"><h3 id="${outcome}">${icon(outcome)}${title}</h3>${body}</section>`;
}

/** Requirements that need no attention, folded under what they share. */
function group(title: string, rows: readonly ReportRequirement[], names = ''): string {
  const named = names === '' ? '' : ` <span class="mono muted">${html(clip(names, 200))}</span>`;
  return `<details class="group"><summary><b>${rows.length}</b><span>${html(clip(title, 2000))}${named}</span></summary>${rows.map(requirement).join('')}</details>`;
}

function requirement(row: ReportRequirement): string {
  const facts: [string, string | undefined][] = [
    ['Reason', row.reason],
    ['Based on', row.restsOn],
    ['Advice', row.outcome === 'pass' ? undefined : row.hint],
  ];
  return `<details class="req is-${row.outcome}" id="${anchor(row.id)}">
<summary><span class="outcome">${icon(row.outcome)}<span class="unseen">${outcomeWords[row.outcome]}</span></span><span class="statement"><span class="id">${html(row.id)}</span> <span class="says">${html(row.statement)}</span></span><span class="level">${row.level}</span></summary>
<div class="more">${pairs(facts, row)}${checkList(row.checks)}</div></details>`;
}

/** What each requirement comes from: the points of the protocol text in our words, and the requirements of each. */
function clauses({ clauses: sections }: Document): string {
  const tables = sections.map(({ section: title, points }) => {
    const rows = points.map(({ point, says, ids }) => {
      const links = ids.map((id) => `<a href="#${anchor(id)}">${html(id)}</a>`);
      return `<tr id="${place(point)}"><th scope="row">${html(point)}</th><td>${html(says)}</td><td class="mono">${links.join(' ')}</td></tr>`;
    });
    return table(['Clause', 'Says', 'Requirements'], rows, `<caption>${html(title)}</caption>`);
  });
  return tables.join('');
}

function answers({ observations }: Document): string {
  const rows = observations.map(
    ({ question, answer, evidence }) =>
      `<tr><th scope="row">${html(question)}</th><td>${html(clip(answer, 1000))}</td><td class="muted">${html(clip(evidence, 1000))}</td></tr>`,
  );
  return `<p class="note">The protocol leaves these points open. They are answered here, never judged.</p>${table(['Question', 'This target', 'Seen'], rows)}`;
}

function table(names: readonly string[], rows: readonly string[], caption = ''): string {
  const head = names.map((name) => `<th scope="col">${name}</th>`).join('');
  return `<table class="stack">${caption}<thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}
