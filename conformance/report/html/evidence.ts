import { homeOf, linkWords } from '../chain-words.js';
import { difference, type Piece } from '../diff.js';
import { clip, html, visible } from '../escape.js';
import type { ReportCheck, ReportExchange } from '../report.js';
import { replayCommand, scriptWords, seedWords } from '../words.js';

/** The most of one value that a page shows; the JSON report has it whole. */
const valueLimit = 8000;

/** Expected beside actual, with what differs marked. */
export function versus({ expected, actual }: Pick<ReportCheck, 'expected' | 'actual'>): string {
  const [wanted, got] = [expected, actual].map((text) => (text === null ? null : visible(clip(text, valueLimit))));
  const marked =
    typeof wanted === 'string' && typeof got === 'string'
      ? difference(wanted, got)
      : { expected: plain(wanted ?? null), actual: plain(got ?? null) };
  const side = (label: string, pieces: readonly Piece[]) =>
    pieces.length === 0 ? '' : `<div><dt>${label}</dt><dd class="value">${pieces.map(piece).join('')}</dd></div>`;
  const sides = side('Expected', marked.expected) + side('Actual', marked.actual);
  return sides === '' ? '' : `<dl class="versus">${sides}</dl>`;
}

/** The ways to see it again, folded. */
export function repetition(check: ReportCheck, json: string | undefined): string {
  const seed = seedWords(check);
  return `${check.exchanges.length === 0 ? '' : inFull(check.exchanges)}${folded(
    'Repeat it',
    [
      check.curl === null ? '' : copyable(scriptWords(check.curl, 20_000), 'Copy the curl script'),
      json === undefined ? '<p class="muted">From a report in JSON, which a run with --json report.json writes:</p>' : '',
      copyable(replayCommand(check, json), 'Copy the replay command'),
      seed === '' ? '' : `<p class="muted">${html(seed)}</p>`,
    ].join(''),
  )}`;
}

export function folded(summary: string, body: string): string {
  return `<details class="more"><summary>${html(summary)}</summary>${body}</details>`;
}

export function copyable(text: string, label: string): string {
  return `<div class="script">${block(text, 20_000)}<button type="button" class="copy" aria-label="${html(label)}" hidden>Copy</button></div>`;
}

function inFull(exchanges: readonly ReportExchange[]): string {
  const home = homeOf(exchanges);
  const items = exchanges.map((link) => `<li>${html(linkWords(link, home))}${link.kind === 'clock' ? '' : messages(link)}</li>`);
  return folded('The exchanges in full', `<ol class="wire">${items.join('')}</ol>`);
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
