import { count, spec } from '../../spec/index.js';
import { clip, oneLine } from './escape.js';
import type { ReportExchange } from './report.js';
import { timeWords } from './words.js';

export type HttpLink = Extract<ReportExchange, { kind: 'exchange' }>;
type Asked = Pick<HttpLink['request'], 'method' | 'url' | 'headers'>;
/** A link of a chain in words: what was asked and what came, or how far the clock moved. */
export type Link = ReturnType<typeof linksOf>[number];

/** Headers that every request has, so that they explain nothing. */
const routineHeaders = new Set(['host', 'connection', 'user-agent', 'accept', 'accept-encoding', 'content-length']);
const { authorization } = spec.protocol.headers;

export function linksOf(exchanges: readonly ReportExchange[]) {
  // The origin to which a chain first goes. A client may go to others from there, which are told whole.
  const home = originOf(exchanges.find((link) => link.kind === 'exchange')?.request.url ?? '');
  const askedWords = ({ method, url }: Asked) =>
    oneLine(`${method} ${clip(home !== undefined && originOf(url) === home ? url.slice(home.length) || '/' : url, 200)}`);
  return exchanges.map((link, index) => {
    const exchange = link.kind === 'clock' ? undefined : link;
    const connection = exchange?.connection;
    return {
      number: index + 1,
      /** "GET /api/books", or the move of the clock. */
      asked: link.kind === 'clock' ? `the clock moves forward by ${timeWords(link.advancedMs)}` : askedWords(link.request),
      /** The headers that a request has of its own. */
      sent: exchange === undefined ? [] : ownHeaders(exchange.request),
      ...answerWords(exchange),
      /** The connection it went out on, and the last requests on it before; empty where nobody knows. */
      connection: connection === undefined ? '' : connectionWords(connection),
      before: (connection?.latest ?? []).map((each) => `${askedWords(each)}${carrying(ownHeaders(each).map(([name]) => name))}`),
      exchange,
    };
  });
}

const originOf = (url: string) => /^[a-z]+:\/\/[^/?#]*/i.exec(url)?.[0];

const ownHeaders = ({ headers }: Asked) => headers.filter(([name]) => !routineHeaders.has(name.toLowerCase()));

const carrying = (names: readonly string[]) => (names.length > 0 ? ` with ${oneLine(clip(names.join(', '), 160))}` : '');

const connectionWords = ({ number, earlier }: NonNullable<HttpLink['connection']>) =>
  `on connection ${number}, ${earlier === 0 ? 'the first request on it' : `after ${count(earlier, 'other request')}`}`;

/** "401 Unauthorized", or why nothing came; and the same with what was wrong with it. Empty for a move of the clock. */
function answerWords(exchange: HttpLink | undefined) {
  if (exchange === undefined) return { came: '', answer: '' };
  const { response, problem } = exchange;
  const trouble = problem === null ? '' : oneLine(clip(problem, 200));
  const came = response === null ? trouble || 'no answer' : oneLine(`${response.status} ${clip(response.reason, 60)}`.trimEnd());
  return { came, answer: response === null || trouble === '' ? came : `${came}, but: ${trouble}` };
}

/** A link as one line: "GET /api/books with X-Authorization  ->  200 OK". Of credentials also their form is told. */
export function linkWords({ asked, sent, answer }: Pick<Link, 'asked' | 'sent' | 'answer'>): string {
  const names = sent.map(([name, value]) =>
    name.toLowerCase() === authorization.toLowerCase() && value !== '' ? `${name}: ${value}` : name,
  );
  return `${asked}${carrying(names)}${answer === '' ? '' : `  ->  ${answer}`}`;
}

/** The same with its number: "2. GET /api/books …". */
export const numberedWords = (link: Link): string => `${link.number}. ${linkWords(link)}`;
