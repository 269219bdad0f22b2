import { linkWords } from '../chain-words.js';
import { difference, type Piece } from '../diff.js';
import { clip, html, visible } from '../escape.js';
import { factsOf } from '../fields.js';
import type { ReportCheck, ReportExchange } from '../report.js';
import { replayCommand, scriptWords, seedWords } from '../words.js';
import { sequence } from './sequence.js';

/** The most of one value that a page shows; the JSON report has it whole. */
const valueLimit = 8000;

/** Expected against actual, with what differs marked, and the other facts. */
export function comparison(check: ReportCheck): string {
  const { expected, actual } = check;
  const [wanted, got] = [expected, actual].map((text) => (text === null ? null : visible(clip(text, valueLimit))));
  const marked =
    typeof wanted === 'string' && typeof got === 'string'
      ? difference(wanted, got)
      : { expected: plain(wanted ?? null), actual: plain(got ?? null) };
  const row = (label: string, pieces: readonly Piece[]) =>
    pieces.length === 0 ? '' : `<dt>${label}</dt><dd class="value">${pieces.map(piece).join('')}</dd>`;
  const rows = factsOf(check).map(({ label, text }) =>
    row(label, label === 'Expected' ? marked.expected : label === 'Actual' ? marked.actual : plain(clip(text, valueLimit))),
  );
  return `<dl class="pairs">${rows.join('')}</dl>`;
}

/** The chain, drawn and in full, and the ways to see it again. */
export function repetition(check: ReportCheck, protocolHeaders: readonly string[]): string {
  const seed = seedWords(check);
  return [
    check.exchanges.length > 0
      ? `<h4>What was sent and what came</h4>${sequence(check.exchanges, protocolHeaders)}${inFull(check.exchanges)}`
      : '',
    check.curl === null ? '' : `<h4>Repeat it by hand</h4>${copyable(scriptWords(check.curl, 20_000), 'Copy the curl script')}`,
    `<h4>Repeat it with the kit${seed === '' ? '' : ` (${html(seed)})`}</h4>${copyable(replayCommand(check), 'Copy the replay command')}`,
  ].join('');
}

export function copyable(text: string, label: string): string {
  return `<div class="script">${block(text, 20_000)}<button type="button" class="copy" aria-label="${html(label)}" hidden>Copy</button></div>`;
}

function inFull(exchanges: readonly ReportExchange[]): string {
  const items = exchanges.map((link) => `<li>${html(linkWords(link))}${link.kind === 'clock' ? '' : messages(link)}</li>`);
  return `<details class="wire"><summary>The exchanges in full, as text</summary><ol>${items.join('')}</ol></details>`;
}

function messages({ request, response, problem }: Extract<ReportExchange, { kind: 'exchange' }>): string {
  const asked = [`${request.method} ${request.url}`, ...headerLines(request.headers), ...body(request.body)].join('\n');
  const answered =
    response === null
      ? ''
      : block([`${response.status} ${response.reason}`, ...headerLines(response.headers), ...body(response.body)].join('\n'));
  return `${block(asked)}${answered}${problem === null ? '' : `<p>${html(clip(problem, valueLimit))}</p>`}`;
}

function headerLines(headers: readonly (readonly [string, string])[]): string[] {
  return headers.slice(0, 200).map(([name, value]) => `${name}: ${clip(value, 2000)}`);
}

function body(text: string | null): string[] {
  return text === null || text === '' ? [] : ['', text];
}

/** A block that scrolls must take the focus, so that the keyboard can scroll it. */
function block(text: string, limit = valueLimit): string {
  return `<pre tabindex="0">${html(clip(text, limit).trimEnd())}</pre>`;
}

function plain(text: string | null): Piece[] {
  return text === null ? [] : [{ text, same: true }];
}

function piece({ text, same }: Piece): string {
  return same ? html(text) : `<mark>${html(text)}</mark>`;
}
