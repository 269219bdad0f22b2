import { clip, html } from '../escape.js';
import type { Outcome, Report } from '../report.js';
import { type Counts, countOutcomes, verdictSentence } from '../summary.js';
import { targetName } from '../target-words.js';
import { count, tallyWords, verdictTones, verdictWords } from '../words.js';
import { icon } from './badge.js';

const order: readonly Outcome[] = ['fail', 'warn', 'known-failure', 'untested', 'pass'];

/** The word for how the run ended. One that fails for its baseline alone is not called conformant. */
export function headline({ verdict, staleBaseline = [] }: Report): { readonly words: string; readonly tone: Outcome } {
  if (verdict === 'conformant' && staleBaseline.length > 0) return { words: 'Stale baseline', tone: 'fail' };
  return { words: verdictWords[verdict], tone: verdictTones[verdict] };
}

/** What a reader wants first: the verdict, and how much of what was found. Each count leads to its part of the page. */
export function masthead(report: Report): string {
  const counts = countOutcomes(report.requirements);
  const stale = (report.staleBaseline ?? []).length;
  const { words, tone } = headline(report);
  const notes = [
    verdictSentence(report),
    report.error !== undefined && report.verdict === 'non-conformant' ? `The run ended early: ${report.error}` : '',
    stale === 0
      ? ''
      : `The run fails because the baseline has ${count(stale, 'stale entry', 'stale entries')}: ${report.staleBaseline?.join(', ')}.`,
  ];
  const tallies = order.filter((outcome) => counts[outcome] > 0).map((outcome) => [outcome, tallyWords(outcome, counts[outcome])] as const);
  const skipped = report.skipped.length === 0 ? [] : [['skipped', `${report.skipped.length} skipped`] as const];
  return `<header class="masthead">
<p class="kicker"><b>hydrauth</b> conformance report <span class="mono">${html(clip(targetName(report.target), 2000))}</span></p>
<h1 class="is-${tone}">${icon(tone)}${words}</h1>
${notes
  .filter((note) => note !== '')
  .map((note) => `<p class="lead">${html(clip(note, 2000))}</p>`)
  .join('')}
${bar(counts)}
<ul class="counts">${[...tallies, ...skipped].map(([id, tally]) => `<li><a class="is-${id}" href="#${id}">${tally.replace(/^\d+/, '<b>$&</b>')}</a></li>`).join('')}</ul>
</header>`;
}

/** The shares of the outcomes as a bar. Screen readers skip it, because the counts beside it say the same. */
function bar(counts: Counts): string {
  let x = 0;
  const pieces = order.map((outcome) => {
    const width = counts.all === 0 ? 0 : (counts[outcome] / counts.all) * 1000;
    const piece =
      width === 0 ? '' : `<rect class="is-${outcome}" x="${x.toFixed(1)}" width="${Math.max(2, width - 3).toFixed(1)}" height="6"/>`;
    x += width;
    return piece;
  });
  return `<svg class="bar" viewBox="0 0 1000 6" preserveAspectRatio="none" aria-hidden="true">${pieces.join('')}</svg>`;
}
