import { html } from './escape.js';
import { masthead } from './html/masthead.js';
import { page } from './html/page.js';
import { steps } from './html/requirement.js';
import { script } from './html/script.js';
import { baseline, failures, observations, remarks, type Section, skipped, untested } from './html/sections.js';
import { styles } from './html/styles.js';
import { toolbar } from './html/toolbar.js';
import type { Report } from './report.js';
import { targetName } from './target-words.js';
import { verdictWords } from './words.js';

/** The report as one page that needs nothing else. */
export function htmlReport(report: Report): string {
  const requirements: Section = { id: 'requirements', title: 'Requirements', body: toolbar(report) + steps(report.requirements) };
  const sections = [
    failures(report),
    requirements,
    untested(report),
    skipped(report),
    observations(report),
    remarks(report),
    baseline(report),
  ].filter(({ body }) => body !== '');
  const links = sections.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`).join('');
  return page({
    title: `${verdictWords[report.verdict]}: ${targetName(report.target)}`,
    styles,
    script,
    body: `<a class="skip" href="#requirements">Skip to the requirements</a>
<div class="frame">
${masthead(report)}
<nav class="jump" aria-label="Parts of this report"><ul>${links}</ul></nav>
<main>
${sections.map(section).join('\n')}
</main>
<footer>${html(`${report.spec.title}, version ${report.spec.version}. Secrets are left out of this page.`)}</footer>
<div id="status" class="unseen" role="status"></div>
</div>`,
  });
}

function section({ id, title, body }: Section): string {
  return `<section id="${id}" aria-labelledby="title-${id}"><h2 id="title-${id}">${title}</h2>${body}</section>`;
}
