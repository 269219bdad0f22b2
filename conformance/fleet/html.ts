import { spec } from '../../spec/index.js';
import { clip, html, legend, letters, page, timeWords, verdicts } from '../report/index.js';
import { type Fleet, type Result, worstFirst } from './fleet.js';
import { type Section, summaryWords } from './overview.js';

/** Services by requirements as one page that needs nothing else, the worst of both first. */
export function fleetHtml(fleet: Fleet, sections: readonly Section[]): string {
  const services = [...fleet.services].sort(worstFirst);
  const columns = columnsOf(services);
  const tags = [...new Set(services.flatMap((each) => each.tags))].sort();
  const states = [...new Set(services.map(({ verdict }) => verdict))];
  const option = (value: string, words = value) => `<option value="${html(value)}">${html(clip(words, 80))}</option>`;
  const told = services.filter(({ exitCode, failed }) => exitCode !== 0 || failed.length > 0);
  return page({
    title: summaryWords(fleet),
    sheets: ['matrix.css', 'fleet.css'],
    script,
    body: `<header class="top"><h1>${summaryWords(fleet)}</h1>
<p>${html(fleet.startedAt)}, seed ${fleet.seed}</p>
<form hidden><label>Name <input id="name" type="search"></label> <label>Tag <select id="tag"><option value="">all</option>${tags.map((tag) => option(tag)).join('')}</select></label> <label>State <select id="state"><option value="">all</option>${states.map((state) => option(state, verdicts[state].word)).join('')}</select></label> <output></output></form>
${legend(services.flatMap(({ outcomes }) => Object.values(outcomes)))}</header>
<main>
<div class="scroll" tabindex="0" role="region" aria-label="Services by requirement"><table><thead><tr><th scope="col">Service</th>${columns.map((id) => `<th scope="col"><span>${html(id)}</span></th>`).join('')}</tr></thead><tbody>
${services.map((each) => row(each, columns)).join('\n')}
</tbody></table></div>
${sections.map(({ title, lines }) => `<section><h2>${html(title)}</h2><ul>${lines.map((line) => `<li>${html(clip(line, 600))}</li>`).join('')}</ul></section>`).join('\n')}
${told.length === 0 ? '' : `<section><h2>What is wrong</h2>${told.map(detail).join('\n')}</section>`}
</main>`,
  });
}

/** What most services fail comes first, then what most are warned of; otherwise the order is that of the catalogue. */
function columnsOf(services: readonly Result[]): string[] {
  const weights = new Map<string, number>();
  for (const [id, outcome] of services.flatMap(({ outcomes: by }) => Object.entries(by)))
    weights.set(id, (weights.get(id) ?? 0) + (outcome === 'fail' ? 1e6 : Number(outcome === 'warn')));
  const ids = spec.catalogue.requirements.map(({ id }) => id).filter((id) => weights.has(id));
  return ids.sort((one, other) => (weights.get(other) ?? 0) - (weights.get(one) ?? 0));
}

/** A pass has no class, and nothing ends that need not: there are tens of thousands of cells. */
function row({ name, tags, verdict, word, outcomes: by, report, durationMs, requests }: Result, columns: readonly string[]): string {
  const cells = columns.map((id) => {
    const outcome = by[id];
    if (outcome === undefined) return '<td>';
    return outcome === 'pass' ? '<td>P' : `<td class="cell is-${outcome}">${letters[outcome]}`;
  });
  const took = `${requests.toLocaleString('en')} requests, ${timeWords(durationMs)}`;
  return `<tr data-name="${html(name.toLowerCase())}" data-state="${verdict}" data-tags="${html(JSON.stringify(tags))}"><th scope="row" title="${took}"><span class="who"><a href="${encodeURI(report)}">${html(name)}</a> <b class="is-${verdicts[verdict].tone}">${word}</b></span></th>${cells.join('')}</tr>`;
}

function detail({ name, verdict, word, sentence, cases, report }: Result): string {
  const failures = cases.filter(({ kind }) => kind === 'failure');
  const items = failures.map(({ name: id, message = '' }) => `<li><span class="id">${html(id)}</span> ${html(clip(message, 400))}</li>`);
  return `<div class="detail"><h3><a href="${encodeURI(report)}">${html(name)}</a> <span class="outcome is-${verdicts[verdict].tone}">${word}</span></h3><p>${html(clip(sentence, 600))}</p>${items.length === 0 ? '' : `<ul>${items.join('')}</ul>`}</div>`;
}

/** Filters the rows. The page is complete without it. */
const script = `
const form = document.querySelector('form');
const rows = all('tbody tr').map((row) => ({ row, ...row.dataset, tags: JSON.parse(row.dataset.tags) }));
const value = (id) => document.getElementById(id).value;
const apply = () => {
  const name = value('name').toLowerCase();
  const [tag, state] = [value('tag'), value('state')];
  let shown = 0;
  for (const each of rows) {
    const isShown = each.name.includes(name) && (tag === '' || each.tags.includes(tag)) && (state === '' || each.state === state);
    each.row.hidden = !isShown;
    shown += Number(isShown);
  }
  document.querySelector('output').value = shown + ' of ' + rows.length;
};
form.hidden = false;
form.addEventListener('input', apply);
form.addEventListener('submit', (event) => event.preventDefault());
apply();
`;
