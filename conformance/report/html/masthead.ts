import { clip, html } from '../escape.js';
import type { Outcome, Report } from '../report.js';
import { type Counts, countOutcomes, verdictSentence } from '../summary.js';
import { clientWords, targetName } from '../target-words.js';
import { count, coverageWords, tallyWords, timeWords, verdictTones, verdictWords } from '../words.js';

const order: readonly Outcome[] = ['fail', 'known-failure', 'warn', 'untested', 'pass'];

/** What a reader wants first: the verdict, the counts, and what was judged. */
export function masthead(report: Report): string {
  const counts = countOutcomes(report.requirements);
  const skipped = report.skipped.length;
  const stale = (report.staleBaseline ?? []).length;
  const staleNote =
    stale === 0 ? '' : `<p>The run fails all the same: the baseline has ${count(stale, 'stale entry', 'stale entries')}.</p>`;
  const after =
    report.error !== undefined && report.verdict === 'non-conformant'
      ? `<p>The run ended early: ${html(clip(report.error, 1000))}</p>`
      : '';
  return `<header class="masthead">
<p class="kicker"><b>hydrauth</b> conformance report</p>
<h1 class="is-${verdictTones[report.verdict]}">${verdictWords[report.verdict]}</h1>
<p class="lead">${html(clip(verdictSentence(report), 2000))}</p>${after}${staleNote}
<p class="target mono">${html(clip(targetName(report.target), 2000))}</p>
${bar(counts)}
<ul class="counts">${order
    .filter((outcome) => counts[outcome] > 0 || outcome === 'fail')
    .map((outcome) => `<li class="is-${outcome}">${tallyWords(outcome, counts[outcome]).replace(/^\d+/, '<b>$&</b>')}</li>`)
    .join('')}${skipped === 0 ? '' : `<li class="is-untested"><b>${skipped}</b> skipped</li>`}</ul>
<dl class="facts">${facts(report)
    .map(([name, value]) => `<div><dt>${name}</dt><dd>${html(clip(value, 500))}</dd></div>`)
    .join('')}</dl>
</header>`;
}

function facts({ kit, spec, target, startedAt, durationMs, requests, coverage }: Report): [string, string][] {
  return [
    ['Judged', startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')],
    ['Took', `${timeWords(durationMs)}, ${count(requests, 'request')}`],
    ...(target.client === undefined ? serverFacts(kit, target) : [['Judged as', clientWords(target.client)] satisfies [string, string]]),
    ...(coverage === undefined ? [] : [['Covered', coverageWords(coverage)] satisfies [string, string]]),
    ['Kit', `hydrauth ${kit.version}, catalogue ${spec.catalogue}`],
  ];
}

function serverFacts(kit: Report['kit'], target: Report['target']): [string, string][] {
  return [
    ['Collections', target.collections.join(', ')],
    ['Users', target.users.join(', ') || 'none'],
    ['Authentication', target.auth],
    ['Clock', target.clock],
    ['Engines', `${kit.engines.join(', ')}; ${count(kit.runs, 'run')}, seed ${kit.seed}`],
  ];
}

/** The shares of the outcomes as a bar. Screen readers skip it, because the counts beside it say the same. */
function bar(counts: Counts): string {
  let x = 0;
  const pieces = order.map((outcome) => {
    const width = counts.all === 0 ? 0 : (counts[outcome] / counts.all) * 1000;
    const piece =
      width === 0 ? '' : `<rect class="is-${outcome}" x="${x.toFixed(1)}" width="${Math.max(2, width - 3).toFixed(1)}" height="10"/>`;
    x += width;
    return piece;
  });
  return `<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${pieces.join('')}</svg>`;
}
