import { answerWords, homeOf, pathOf, routineHeaders } from '../chain-words.js';
import { clip, html, oneLine } from '../escape.js';
import type { ReportCheck, ReportExchange, ReportRequirement } from '../report.js';
import { timeWords } from '../words.js';
import { icon } from './badge.js';

type Exchange = Extract<ReportExchange, { kind: 'exchange' }>;

/** A longer chain is drawn with its first links and its last ones. */
const drawn = { first: 2, last: 8 };

/**
 * The chain as a sequence diagram between two lifelines. It is a list, so that it wraps on a phone and is read aloud in order.
 * A chain ends with the answer that shows the violation, or with the request where a client was judged: that one is marked.
 */
export function diagram(
  { exchanges, actual, engine }: ReportCheck,
  outcome: ReportRequirement['outcome'],
  given: readonly string[],
): string {
  const last = exchanges.findLastIndex(({ kind }) => kind === 'exchange');
  const home = homeOf(exchanges);
  const ofClient = engine === 'scenarios' || engine === 'watch';
  const left = exchanges.length - drawn.first - drawn.last;
  const items = exchanges.map((link, index) => {
    if (left > 1 && index >= drawn.first && index < drawn.first + left)
      return index === drawn.first ? `<li class="time">${left} steps are left out here</li>` : '';
    if (link.kind === 'clock') return `<li class="time">${index + 1}. the clock moves forward by ${timeWords(link.advancedMs)}</li>`;
    const isLast = index === last;
    const head = asked(link, `${index + 1}.`, home, isLast && ofClient ? outcome : undefined);
    return `${head}${isLast && !ofClient ? offending(link, actual, outcome) : told(link, given)}`;
  });
  return `<div class="lanes" aria-hidden="true"><span>Client</span><span>Server</span></div><ol class="chain">${items.join('')}</ol>`;
}

function asked({ request }: Exchange, number: string, home: string, violates: ReportRequirement['outcome'] | undefined): string {
  const mark = violates === undefined ? '' : `<em>${icon('fail')}violates the requirement</em>`;
  const tone = violates === undefined ? '' : ` offending is-${violates}`;
  const sent = request.headers.filter(([name]) => !routineHeaders.has(name.toLowerCase())).slice(0, 6);
  return `<li class="ask${tone}">${mark}<b>${number} ${line(`${request.method} ${pathOf(request.url, home)}`)}</b>${sent.map(([name, value]) => soft(`${name}: ${value}`)).join('')}</li>`;
}

/** Of an answer on the way only the headers in which the protocol hands something out. */
function told(link: Exchange, given: readonly string[]): string {
  const taken = (link.response?.headers ?? []).filter(([name]) => given.includes(name.toLowerCase()));
  return `<li class="tell"><b>${line(answerWords(link))}</b>${taken.map(([name, value]) => soft(`${name}: ${value}`)).join('')}</li>`;
}

function offending(link: Exchange, actual: string | null, outcome: ReportRequirement['outcome']): string {
  const headers = (link.response?.headers ?? []).filter(([name]) => !/^(connection|keep-alive)$/i.test(name)).slice(0, 20);
  const lines = headers.map(([name, value]) => {
    const text = `${name}: ${value}`;
    return text === actual ? `<span><mark>${line(text)}</mark></span>` : soft(text);
  });
  const body = link.response?.body ?? '';
  return `<li class="tell offending is-${outcome}"><em>${icon('fail')}violates the requirement</em><b>${line(answerWords(link))}</b>${lines.join('')}${body === '' ? '' : soft(body)}</li>`;
}

function soft(text: string): string {
  return `<span>${line(text)}</span>`;
}

function line(text: string): string {
  return html(oneLine(clip(text, 240)));
}
