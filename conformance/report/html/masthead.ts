import { clip, html } from '../escape.js';
import type { Outcome, Report } from '../report.js';
import { type Counts, countOutcomes, headline, skippedRequirements } from '../summary.js';
import { targetName } from '../target-words.js';
import { tallyWords } from '../words.js';
import { icon } from './badge.js';

const order: readonly Outcome[] = ['fail', 'warn', 'known-failure', 'untested', 'pass'];

/** What a reader wants first: the verdict, and how much of what was found. Each count leads to its part of the page. */
export function masthead(report: Report): string {
  const counts = countOutcomes(report.requirements);
  const { word, sentence, tone } = headline(report);
  const tallies = order.filter((outcome) => counts[outcome] > 0).map((outcome) => [outcome, tallyWords(outcome, counts[outcome])] as const);
  const number = skippedRequirements(report).length;
  const skipped = number === 0 ? [] : [['skipped', `${number} skipped`] as const];
  return `<header class="masthead">
<p class="kicker"><b>hydrauth</b> conformance report <span class="mono">${html(clip(targetName(report.target), 2000))}</span></p>
<h1 class="is-${tone}">${icon(tone)}${word}</h1>
<p class="lead">${html(clip(sentence, 2000))}</p>
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
