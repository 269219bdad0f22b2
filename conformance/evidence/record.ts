import { type Answer, type Chain, type Exchange, type HeaderLine, isClockMove, type RequestPlan } from '../wire/index.js';
import { type Redactor, unsureCharacters } from './redact.js';

interface RecordContext {
  readonly baseUrl: URL;
  readonly redactor: Redactor;
}

const shownCharacters = 4096;
const shownHeaderCharacters = 1024;
/** This much more is searched for secrets, so that none is cut in two before it is found. */
const margin = 8192;

/** A chain as the report shows it: without secrets, bodies cut. Control characters stay; each writer escapes them in its own way. */
export function recordChain(chain: Chain, context: RecordContext) {
  return chain.map((link) => {
    return isClockMove(link) ? { kind: 'clock' as const, advancedMs: link.advancedMs } : recordExchange(link, context);
  });
}

function recordExchange({ request, answer, problem, durationMs, connection }: Exchange, context: RecordContext) {
  const { redactor } = context;
  return {
    kind: 'exchange' as const,
    request: {
      ...recordRequest(request, context),
      body: request.body === undefined ? null : shownText(Buffer.from(request.body), redactor),
    },
    response: answer === undefined ? null : recordAnswer(answer, redactor),
    problem: problem === undefined ? null : redactor.sentence(problem.message),
    durationMs: Math.round(durationMs * 10) / 10,
    ...(connection && { connection: { ...connection, latest: connection.latest.map((each) => recordRequest(each, context)) } }),
  };
}

function recordRequest({ method, target, headers }: RequestPlan, { baseUrl, redactor }: RecordContext) {
  return {
    method: redactor.text(method),
    url: redactor.text(target.startsWith('/') ? `${baseUrl.origin}${target}` : target),
    headers: headers.map((line) => redactor.header(line)),
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
  const isPart = wholeOctets > taken.length;
  const shown = text.slice(0, isPart ? Math.min(shownCharacters, Math.max(0, text.length - unsureCharacters)) : shownCharacters);
  if (isPart || text.length > shownCharacters) notes.push(`cut here; ${wholeOctets} octets in all`);
  if (!isUtf8(taken, isPart)) notes.push('not UTF-8; what could not be read is shown as \ufffd');
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

/** What a report shows of a body, and as much more as it searches for secrets. */
const keptOctets = 12 * 1024;

/** The exchange with no more of its body than a report shows, because a run keeps many and bodies may be large. */
export function truncateBody(exchange: Exchange, octets = keptOctets): Exchange {
  const { answer } = exchange;
  if (answer === undefined || answer.body.length <= octets) return exchange;
  const body = Buffer.from(answer.body.subarray(0, octets));
  return { ...exchange, answer: { ...answer, body, wholeOctets: answer.wholeOctets ?? answer.body.length } };
}

export const truncateBodies = (chain: Chain): Chain => chain.map((link) => (isClockMove(link) ? link : truncateBody(link)));
