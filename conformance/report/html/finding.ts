import { count } from '../../../spec/index.js';
import { capital } from '../../finding.js';
import { type HttpLink, type Link, numberedWords } from '../chain.js';
import { clip, html, oneLine } from '../escape.js';
import { type Finding, factsOf, type Way } from '../finding.js';
import type { Outcome, ReportCheck } from '../report.js';
import { scriptWords } from '../words.js';
import { anchor, badge, block, copyable, folded, icon, pairs, seen } from './parts.js';

/** A requirement that is violated: what was expected and what came, the advice, and the exchanges as a diagram with these headers of answers. */
export function findingHtml({ row, ways, also }: Finding, carriers: readonly string[]): string {
  const [first, ...others] = ways.map((way) => ({
    ...{ rate: often(way), said: seen(way), facts: details(way) },
    ...{ drawn: drawing(way, row.outcome, carriers), repeated: repetition(way) },
  }));
  const failed = row.outcome === 'fail';
  const facts = pairs(
    [
      ['Advice', row.hint],
      [row.outcome === 'known-failure' ? 'Accepted' : 'Reason', row.reason],
      ...(first?.facts ?? []),
      ['Note', row.disagreement],
      ['Also', also],
    ],
    row,
  );
  const further = others.map(
    (way, index) => `<h5>Counterexample ${index + 2}</h5>${way.rate}${way.said}${pairs(way.facts)}${way.drawn}${way.repeated}`,
  );
  const folds = [
    failed ? '' : first?.drawn,
    first?.repeated,
    folded(count(row.checks.length, 'check'), checkList(row.checks)),
    further.length === 0 ? '' : folded(`${count(further.length, 'more way', 'more ways')} in which it fails`, further.join('')),
  ];
  return `<article class="finding is-${row.outcome}" id="${anchor(row.id)}">
<h4><span class="outcome">${icon(row.outcome)}</span><span class="id">${html(row.id)}</span><span class="level">${row.level}</span>${first?.rate ?? ''}</h4>
<p class="says">${html(row.statement)}</p>
${first?.said ?? ''}
<div class="${failed ? 'halves' : ''}">${facts}${failed ? (first?.drawn ?? '') : ''}</div>
<div class="folds">${folds.join('')}</div>
</article>`;
}

/** How often a way of failing was tried and failed; older reports do not say. */
export const often = (way: Way | undefined) => (way === undefined || way.rate === '' ? '' : `<span class="rate">${html(way.rate)}</span>`);

export function checkList(checks: readonly ReportCheck[]): string {
  const items = checks.map(
    ({ id, engine, outcome }) => `<li>${badge(outcome)} <span class="mono">${html(clip(id, 300))}</span> (${engine})</li>`,
  );
  return `<ul class="checks">${items.join('')}</ul>`;
}

/** These stand elsewhere in a finding. */
const shownApart: ReadonlySet<string> = new Set(['Expected', 'Actual', 'How often']);

function details(way: Way): [string, string][] {
  return factsOf(way).flatMap(({ label, text, only }) => (shownApart.has(label) || only === 'short' ? [] : [[label, text]]));
}

/** Open at once where a MUST failed, folded elsewhere. */
function drawing(way: Way, outcome: Outcome, carriers: readonly string[]): string {
  if (way.links.length === 0) return '';
  return `<details class="drawing"${outcome === 'fail' ? ' open' : ''}><summary>What was sent and what came</summary>${diagram(way, outcome, carriers)}</details>`;
}

/** A longer chain is drawn with its first links and its last ones. */
const drawnLinks = { first: 2, last: 8 };

/**
 * The chain as a sequence diagram between two lifelines. It is a list, so that it wraps on a phone and is read aloud in order.
 * A chain ends with the answer that shows the violation, or with the request where a client was judged: that one is marked.
 */
function diagram({ links, check }: Way, outcome: Outcome, carriers: readonly string[]): string {
  const last = links.findLast(({ exchange }) => exchange !== undefined);
  const ofClient = check.engine === 'scenarios' || check.engine === 'watch';
  const left = links.length - drawnLinks.first - drawnLinks.last;
  const items = links.map((link, index) => {
    const { number, asked, exchange, connection, before } = link;
    if (left > 1 && index >= drawnLinks.first && index < drawnLinks.first + left)
      return index === drawnLinks.first ? `<li class="time">${left} steps are left out here</li>` : '';
    if (exchange === undefined) return `<li class="time">${number}. ${html(asked)}</li>`;
    const violates = link === last ? outcome : undefined;
    const latest = before.length === 0 ? '' : `, the last: ${before.at(-1)}`;
    const sent = [
      ...link.sent.slice(0, 6).map(([name, value]) => soft(`${name}: ${value}`)),
      ...(connection === '' ? [] : [`<small>${line(`${connection}${latest}`)}</small>`]),
    ];
    const came = answered(exchange, check, violates, carriers);
    const [asking, telling] = ofClient ? [violates, undefined] : [undefined, violates];
    return arrow('ask', asking, `${number}. ${asked}`, sent) + arrow('tell', telling, link.answer, came);
  });
  return `<div class="lanes" aria-hidden="true"><span>Client</span><span>Server</span></div><ol class="chain">${items.join('')}</ol>`;
}

function arrow(way: 'ask' | 'tell', violates: Outcome | undefined, title: string, lines: readonly string[]): string {
  const mark = violates === undefined ? '' : `<em>${icon('fail')}violates the requirement</em>`;
  return `<li class="${way}${violates === undefined ? '' : ` offending is-${violates}`}">${mark}<b>${line(title)}</b>${lines.join('')}</li>`;
}

/** The answer at fault as a whole; of one on the way only the headers in which the protocol hands something out. */
function answered({ response }: HttpLink, { actual }: ReportCheck, violates: Outcome | undefined, carriers: readonly string[]): string[] {
  const { headers, body } = response ?? { headers: [], body: '' };
  const texts = (isShown: (name: string) => boolean) =>
    headers.filter(([name]) => isShown(name.toLowerCase())).map(([name, value]) => `${name}: ${value}`);
  if (violates === undefined) return texts((name) => carriers.includes(name)).map(soft);
  const lines = texts((name) => name !== 'connection' && name !== 'keep-alive').slice(0, 20);
  return [
    ...lines.map((text) => (text === actual ? `<span><mark>${line(text)}</mark></span>` : soft(text))),
    ...(body === '' ? [] : [soft(body)]),
  ];
}

const soft = (text: string) => `<span>${line(text)}</span>`;

const line = (text: string) => html(oneLine(clip(text, 240)));

/** The ways to see it again, folded. */
function repetition({ check, links, replay, toDoBefore }: Way): string {
  const { curl, seed, path } = check;
  const parts = [
    curl === null ? '' : copyable(scriptWords(curl, 20_000), 'Copy the curl script'),
    toDoBefore === '' ? '' : `<p class="muted">${capital(toDoBefore)}. Then:</p>`,
    replay === '' ? '' : copyable(replay, 'Copy the replay command'),
    seed === null ? '' : `<p class="muted">seed ${seed}${path === null ? '' : `, path ${html(clip(path, 200))}`}</p>`,
  ];
  const wire = `<ol class="wire">${links.map((link) => `<li>${html(numberedWords(link))}${carried(link)}${messages(link)}</li>`).join('')}</ol>`;
  return `${links.length === 0 ? '' : folded('The exchanges in full', wire)}${parts.join('') === '' ? '' : folded('Repeat it', parts.join(''))}`;
}

/** Which connection a request went out on, and the last requests on it before. */
function carried({ connection, before }: Link): string {
  if (connection === '') return '';
  const asked = before.map((each) => `<li>${line(each)}</li>`).join('');
  return `<p class="muted">${html(connection)}${asked === '' ? '' : ', the last of them:'}</p>${asked === '' ? '' : `<ul class="mono muted">${asked}</ul>`}`;
}

function messages({ exchange }: Link): string {
  if (exchange === undefined) return '';
  const { request, response, problem } = exchange;
  const message = (first: string, headers: HttpLink['request']['headers'], body: string | null) => {
    const lines = headers.slice(0, 200).map(([name, value]) => `${name}: ${clip(value, 2000)}`);
    return block([first, ...lines, ...(body === null || body === '' ? [] : ['', body])].join('\n'));
  };
  return [
    message(`${request.method} ${request.url}`, request.headers, request.body),
    response === null ? '' : message(`${response.status} ${response.reason}`, response.headers, response.body),
    problem === null ? '' : `<p>${html(clip(problem, 8000))}</p>`,
  ].join('');
}
