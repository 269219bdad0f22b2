import { type Answer, type Chain, type Exchange, type HeaderLine, isClockMove } from '../wire/index.js';
import type { Redactor } from './redact.js';

/** One link of a chain: a request and its answer, or a move of the clock. */
export type ReportExchange =
  | { readonly kind: 'clock'; readonly advancedMs: number }
  | {
      readonly kind: 'exchange';
      readonly request: {
        readonly method: string;
        readonly url: string;
        readonly headers: readonly (readonly [string, string])[];
        readonly body: string | null;
      };
      readonly response: {
        readonly status: number;
        readonly reason: string;
        readonly headers: readonly (readonly [string, string])[];
        readonly body: string;
      } | null;
      readonly problem: string | null;
      readonly durationMs: number;
    };

interface RecordContext {
  readonly baseUrl: URL;
  readonly redactor: Redactor;
}

const shownCharacters = 4096;
const shownHeaderCharacters = 1024;
/** This much more is searched for secrets, so that none is cut in two before it is found. */
const margin = 8192;

/** A chain as the report shows it: without secrets, bodies cut. Control characters stay; each writer escapes them in its own way. */
export function recordChain(chain: Chain, context: RecordContext): ReportExchange[] {
  return chain.map((link) => (isClockMove(link) ? { kind: 'clock', advancedMs: link.advancedMs } : recordExchange(link, context)));
}

function recordExchange({ request, answer, problem, durationMs }: Exchange, { baseUrl, redactor }: RecordContext): ReportExchange {
  return {
    kind: 'exchange',
    request: {
      method: redactor.text(request.method),
      url: redactor.text(request.target.startsWith('/') ? `${baseUrl.origin}${request.target}` : request.target),
      headers: request.headers.map((line) => redactor.header(line)),
      body: request.body === undefined ? null : shownText(Buffer.from(request.body), redactor),
    },
    response: answer === undefined ? null : recordAnswer(answer, redactor),
    problem: problem === undefined ? null : redactor.sentence(problem.message),
    durationMs: Math.round(durationMs * 10) / 10,
  };
}

function recordAnswer({ status, reason, headers, body, wholeOctets = body.length }: Answer, redactor: Redactor) {
  const lines = headers.map((line) => redactor.header(line)).map(([name, value]): HeaderLine => [shortened(name), shortened(value)]);
  return { status, reason: shortened(redactor.text(reason)), headers: lines, body: shownText(body, redactor, wholeOctets) };
}

function shortened(text: string): string {
  return text.length > shownHeaderCharacters
    ? `${text.slice(0, shownHeaderCharacters)}… [cut here; ${text.length} characters in all]`
    : text;
}

function shownText(octets: Buffer, redactor: Redactor, wholeOctets = octets.length): string {
  const taken = octets.subarray(0, shownCharacters + margin);
  const text = redactor.text(new TextDecoder('utf-8', { ignoreBOM: true }).decode(taken));
  const notes: string[] = [];
  if (octets.length > taken.length || text.length > shownCharacters) notes.push(`cut here; ${wholeOctets} octets in all`);
  if (!isUtf8(taken, octets.length > taken.length)) notes.push('not UTF-8; what could not be read is shown as \ufffd');
  const shown = text.slice(0, shownCharacters);
  return notes.length === 0 ? shown : `${shown}\n[${notes.join('; ')}]`;
}

function isUtf8(octets: Buffer, cut: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(octets, { stream: cut });
    return true;
  } catch {
    return false;
  }
}
