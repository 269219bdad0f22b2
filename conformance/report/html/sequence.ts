import { answerWords, chainWords, pathOf, routineHeaders } from '../chain-words.js';
import { clip, html, oneLine } from '../escape.js';
import type { ReportExchange } from '../report.js';
import { timeWords } from '../words.js';

type Exchange = Extract<ReportExchange, { kind: 'exchange' }>;

/** The horizontal places of the three lanes. The clock has one only when it is moved. */
interface Lanes {
  readonly width: number;
  readonly clock: number | null;
  readonly client: number;
  readonly server: number;
}

const line = 17;
/** A character of the drawing's 12-pixel monospaced type is about this wide. */
const characterWidth = 7.25;
const drawnLimit = 40;

/** The chain as a sequence diagram, with the headers of answers that carry the protocol. Its label says the same in words, and the exchanges stand in full beside it. */
export function sequence(exchanges: readonly ReportExchange[], protocolHeaders: readonly string[]): string {
  const drawn = exchanges.slice(0, drawnLimit);
  const lanes: Lanes = drawn.some(({ kind }) => kind === 'clock')
    ? { width: 700, clock: 54, client: 186, server: 650 }
    : { width: 640, clock: null, client: 60, server: 580 };
  let height = 56;
  const parts: string[] = [];
  for (const [index, link] of drawn.entries()) {
    const part =
      link.kind === 'clock'
        ? clockMove(link.advancedMs, index + 1, height, lanes)
        : exchange(link, index + 1, height, lanes, protocolHeaders);
    parts.push(part.markup);
    height += part.height;
  }
  const left = exchanges.length - drawn.length;
  if (left > 0) parts.push(text(lanes.client + 12, height + line, `and ${left} more, see the text below`, 'soft'));
  height += left > 0 ? 36 : 18;
  const label = html(clip(`Sequence of ${exchanges.length} steps. ${chainWords(exchanges).join('. ')}`, 2000));
  return `<div class="drawing" tabindex="0" role="group" aria-label="Sequence diagram, scrollable"><svg role="img" aria-label="${label}" width="${lanes.width}" height="${height}" viewBox="0 0 ${lanes.width} ${height}">${frame(lanes, height)}${parts.join('')}</svg></div>`;
}

function frame(lanes: Lanes, height: number): string {
  const who: [string, number | null][] = [
    ['Clock', lanes.clock],
    ['Client', lanes.client],
    ['Server', lanes.server],
  ];
  return who
    .map(([name, x]) =>
      x === null
        ? ''
        : `<text class="who" x="${x}" y="26" text-anchor="middle">${name}</text><line class="life" x1="${x}" x2="${x}" y1="36" y2="${height - 8}"/>`,
    )
    .join('');
}

function exchange(
  link: Exchange,
  number: number,
  top: number,
  lanes: Lanes,
  protocolHeaders: readonly string[],
): { markup: string; height: number } {
  const { client, server } = lanes;
  const room = Math.floor((server - client - 24) / characterWidth);
  const sent = link.request.headers.filter(([name]) => !routineHeaders.has(name.toLowerCase())).slice(0, 4);
  const carriers = protocolHeaders.map((name) => name.toLowerCase());
  const came = (link.response?.headers ?? []).filter(([name]) => carriers.includes(name.toLowerCase())).slice(0, 4);
  const body = link.response?.body ?? '';
  const ask = [`${number}. ${link.request.method} ${pathOf(link.request.url)}`, ...sent.map(headerLine)];
  const tell = [answerWords(link), ...came.map(headerLine), ...(body === '' ? [] : [body])];
  const label = (from: number) => (words: string, index: number) =>
    text(client + 12, from + (index + 1) * line, cut(words, room), index === 0 ? 'strong' : 'soft');
  const asked = top + ask.length * line + 9;
  const told = asked + 4 + tell.length * line + 9;
  const markup = [
    ...ask.map(label(top)),
    arrow(client, server, asked, 'go'),
    ...tell.map(label(asked + 4)),
    arrow(server, client, told, 'go back'),
  ];
  return { markup: markup.join(''), height: told - top + 12 };
}

function clockMove(advancedMs: number, number: number, top: number, { client, clock }: Lanes): { markup: string; height: number } {
  const x = clock ?? 0;
  const label = `<text class="time-label strong" x="${(x + client) / 2}" y="${top + line}" text-anchor="middle">${number}. +${timeWords(advancedMs)}</text>`;
  return { markup: label + arrow(client, x, top + line + 9, 'go time', 'time-tip'), height: line + 24 };
}

function arrow(from: number, to: number, y: number, className: string, tip = 'tip'): string {
  const back = to > from ? -8 : 8;
  return `<line class="${className}" x1="${from}" x2="${to + back / 2}" y1="${y}" y2="${y}"/><path class="${tip}" d="M${to} ${y}l${back} -4v8z"/>`;
}

function text(x: number, y: number, words: string, className: string): string {
  return `<text class="${className}" x="${x}" y="${y}">${html(words)}</text>`;
}

function headerLine([name, value]: readonly [string, string]): string {
  return `${name}: ${value}`;
}

function cut(words: string, characters: number): string {
  const seen = Array.from(oneLine(words.slice(0, 400)));
  return seen.length <= characters ? seen.join('') : `${seen.slice(0, characters - 1).join('')}…`;
}
