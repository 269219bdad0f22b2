import { html } from './escape.js';
import { masthead } from './html/masthead.js';
import { page } from './html/page.js';
import { runFacts } from './html/run-facts.js';
import { script } from './html/script.js';
import { baseline, findings, observations, others, remarks, type Section } from './html/sections.js';
import { styles } from './html/styles.js';
import type { Report } from './report.js';
import { headline } from './summary.js';
import { targetName } from './target-words.js';

/** The report as one page that needs nothing else. What failed stands first; what was given to the run stands last. `json` is the same report in JSON, where it is written. */
export function htmlReport(report: Report, { json }: { readonly json?: string | undefined } = {}): string {
  const sections = [findings, others, observations, remarks, baseline, runFacts]
    .map((each) => each(report, json))
    .filter(({ body }) => body !== '');
  return page({
    title: `${headline(report).word}: ${targetName(report.target)}`,
    styles,
    script,
    body: `<div class="frame">
${masthead(report)}
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
