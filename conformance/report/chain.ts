import { count, spec } from '../../spec/index.js';
import type { ReportRequest } from '../evidence/index.js';
import { clip, oneLine } from './escape.js';
import type { ReportExchange } from './report.js';
import { timeWords } from './words.js';

export type HttpLink = Extract<ReportExchange, { kind: 'exchange' }>;

/** A link of a chain in words: what was asked and what came, or how far the clock moved. */
export interface Link {
  readonly number: number;
  /** "GET /api/books", or the move of the clock. */
  readonly asked: string;
  /** The headers that a request has of its own. */
  readonly sent: HttpLink['request']['headers'];
  /** "401 Unauthorized", or why nothing came; undefined for a move of the clock. */
  readonly came: string | undefined;
  /** What was wrong with what came. */
  readonly trouble: string;
  /** The connection it went out on, and the last requests on it before; empty where nobody knows. */
  readonly connection: string;
  readonly before: readonly string[];
  readonly exchange: HttpLink | undefined;
}

/** Headers that every request has, so that they explain nothing. */
const routineHeaders = new Set(['host', 'connection', 'user-agent', 'accept', 'accept-encoding', 'content-length']);

const noExchange = { sent: [], came: undefined, trouble: '', connection: '', before: [], exchange: undefined };

export function linksOf(exchanges: readonly ReportExchange[]): Link[] {
  const home = homeOf(exchanges);
  return exchanges.map((link, index) => {
    const number = index + 1;
    if (link.kind === 'clock') return { ...noExchange, number, asked: `the clock moves forward by ${timeWords(link.advancedMs)}` };
    const { request, connection } = link;
    return {
      number,
      asked: askedWords(request, home),
      sent: ownHeaders(request),
      ...answerWords(link),
      connection: connection === undefined ? '' : connectionWords(connection),
      before: (connection?.latest ?? []).map((each) => `${askedWords(each, home)}${carrying(ownHeaders(each).map(([name]) => name))}`),
      exchange: link,
    };
  });
}

const askedWords = ({ method, url }: ReportRequest, home: string) => oneLine(`${method} ${clip(pathOf(url, home), 200)}`);

const ownHeaders = ({ headers }: ReportRequest) => headers.filter(([name]) => !routineHeaders.has(name.toLowerCase()));

const carrying = (names: readonly string[]) => (names.length > 0 ? ` with ${oneLine(clip(names.join(', '), 160))}` : '');

function connectionWords({ number, earlier }: NonNullable<HttpLink['connection']>): string {
  return `on connection ${number}, ${earlier === 0 ? 'the first request on it' : `after ${count(earlier, 'other request')}`}`;
}

const { authorization } = spec.protocol.headers;

/** A link as one line: "2. GET /api/books with X-Authorization  ->  200 OK". Of credentials also their form is told. */
export function linkWords({ number, asked, sent, came, trouble }: Omit<Link, 'number'> & { readonly number?: number }): string {
  const names = sent.map(([name, value]) =>
    name.toLowerCase() === authorization.toLowerCase() && value !== '' ? `${name}: ${value}` : name,
  );
  const answer = came === undefined ? '' : `  ->  ${came}${trouble === '' ? '' : `, but: ${trouble}`}`;
  return `${number === undefined ? '' : `${number}. `}${asked}${carrying(names)}${answer}`;
}

function answerWords({ response, problem }: HttpLink): Pick<Link, 'came' | 'trouble'> {
  const trouble = problem === null ? '' : oneLine(clip(problem, 200));
  if (response === null) return { came: trouble || 'no answer', trouble: '' };
  return { came: oneLine(`${response.status} ${clip(response.reason, 60)}`.trimEnd()), trouble };
}

/** The origin to which a chain first goes. A client may go to others from there. */
function homeOf(exchanges: readonly ReportExchange[]): string {
  const first = exchanges.find((link) => link.kind === 'exchange');
  return first === undefined ? '' : (addressParts(first.request.url)?.origin ?? '');
}

/** Path and query of an address at home. One of another origin, and what is no address, is given back whole. */
function pathOf(url: string, home: string): string {
  const parts = addressParts(url);
  return parts === undefined || parts.origin !== home ? url : parts.path || '/';
}

function addressParts(url: string): { origin: string; path: string } | undefined {
  const [, origin, path] = /^([a-z]+:\/\/[^/?#]*)(.*)$/is.exec(url) ?? [];
  return origin === undefined ? undefined : { origin, path: path ?? '' };
}
