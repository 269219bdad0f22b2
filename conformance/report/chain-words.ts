import { clip, oneLine } from './escape.js';
import type { ReportExchange } from './report.js';
import { timeWords } from './words.js';

/** Each link of a chain as one line: what was sent and what came, or how far the clock moved. */
export function chainWords(exchanges: readonly ReportExchange[]): string[] {
  const home = homeOf(exchanges);
  return exchanges.map((link, index) => `${index + 1}. ${linkWords(link, home)}`);
}

export function linkWords(link: ReportExchange, home: string): string {
  if (link.kind === 'clock') return `the clock moves forward by ${timeWords(link.advancedMs)}`;
  return `${requestWords(link.request, home)}  ->  ${answerWords(link)}`;
}

type Request = Extract<ReportExchange, { kind: 'exchange' }>['request'];

/** What was asked last, before what is said of it: "HEAD /api/people: "; nothing where nothing was. */
export function askedWords(exchanges: readonly ReportExchange[]): string {
  const last = exchanges.findLast((link) => link.kind === 'exchange');
  return last === undefined ? '' : `${oneLine(`${last.request.method} ${clip(pathOf(last.request.url, homeOf(exchanges)), 200)}`)}: `;
}

/** Method, path and the names of the headers that were sent; of credentials that are not right also what they are. */
function requestWords({ method, url, headers }: Request, home: string): string {
  const names = headers
    .filter(([name]) => !routineHeaders.has(name.toLowerCase()))
    .map(([name, value]) => (isTold(value) ? `${name}: ${value}` : name));
  const sent = names.length > 0 ? ` with ${clip(names.join(', '), 160)}` : '';
  return oneLine(`${method} ${clip(pathOf(url, home), 200)}${sent}`);
}

export function answerWords({ response, problem }: Extract<ReportExchange, { kind: 'exchange' }>): string {
  const answer = response === null ? '' : `${response.status} ${clip(response.reason, 60)}`.trimEnd();
  const trouble = problem === null ? '' : clip(problem, 200);
  return oneLine([answer, trouble].filter((part) => part !== '').join('; ') || 'no answer');
}

const originPattern = /^[a-z]+:\/\/[^/?#]*/i;

/** The origin to which a chain first goes. A client may go to others from there. */
export function homeOf(exchanges: readonly ReportExchange[]): string {
  const first = exchanges.find((link) => link.kind === 'exchange');
  return first === undefined ? '' : (originPattern.exec(first.request.url)?.[0] ?? '');
}

/** Path and query of an address at home. One of another origin, and what is no address, is given back whole. */
export function pathOf(url: string, home: string): string {
  if (originPattern.exec(url)?.[0] !== home) return url;
  const path = /^[a-z]+:\/\/[^/?#]*(.*)$/is.exec(url)?.[1];
  return path === undefined ? url : path === '' ? '/' : path;
}

const rightCredentials = /<id -?\d+ and the right paraphrase>$/;

/** Credentials are told by their form, where they are not simply right. */
function isTold(value: string): boolean {
  return /^\S+ <[^>]*>$/.test(value) && !rightCredentials.test(value);
}

/** Headers that every request has, so that they explain nothing. */
export const routineHeaders: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'user-agent', 'accept', 'accept-encoding', 'content-length'],
]);
