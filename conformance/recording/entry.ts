import { isUtf8 } from 'node:buffer';
import { textOf, unpacked } from '../expect/index.js';
import { type Answer, type Exchange, frame, type HeaderLine, headerValues, isPipelined, type WireProblem } from '../wire/index.js';
import type { HarEntry, HarHeader, OwnEntry } from './har.js';
import type { Mask } from './masked.js';

/** An exchange as an entry without secrets. `labels` are what the engine says of it. */
export function entryOf(exchange: Exchange, origin: string, masked: Mask, labels: Readonly<Record<string, unknown>>): HarEntry {
  const { request, answer, problem, sentAtMs, durationMs } = exchange;
  const target = masked.text(request.target);
  const body = answer === undefined ? undefined : bodyOf(answer, masked);
  const own: OwnEntry = {
    sentAtMs,
    ...(target.startsWith('/') && request.httpVersion === undefined ? {} : { target }),
    ...(problem === undefined ? {} : { problem: { code: problem.code, message: masked.sentence(problem.message) } }),
    ...(answer === undefined ? {} : { octets: answer.wholeOctets ?? answer.body.length }),
    ...(body?.isDecoded === true ? { decoded: true } : {}),
    ...(body?.isCut === true ? { cut: true } : {}),
    ...(answer?.staysOpen === true ? { staysOpen: true } : {}),
    ...(isPipelined(request) ? { unheld: true } : {}),
    ...labels,
  };
  const headersOf = (lines: Exchange['request']['headers']) => lines.map(masked.header).map(([name, value]) => ({ name, value }));
  const entry = {
    startedDateTime: new Date(performance.timeOrigin + sentAtMs).toISOString(),
    time: durationMs,
    request: {
      method: masked.text(request.method),
      url: target.startsWith('/') ? `${origin}${target}` : target,
      httpVersion: `HTTP/${request.httpVersion ?? '1.1'}`,
      cookies: [],
      headers: headersOf(request.headers),
      queryString: [],
      ...(request.body === undefined
        ? {}
        : { postData: { mimeType: masked.text(typeOf(request)), text: masked.text(request.body).slice(0, mostOctets) } }),
      headersSize: -1,
      bodySize: Buffer.byteLength(request.body ?? ''),
    },
    response: {
      status: answer?.status ?? 0,
      statusText: masked.text(answer?.reason ?? ''),
      httpVersion: `HTTP/${answer?.httpVersion ?? '1.1'}`,
      cookies: [],
      headers: headersOf(answer?.headers ?? []),
      content: { ...contentOf(body?.octets ?? Buffer.alloc(0), masked), mimeType: answer === undefined ? '' : masked.text(typeOf(answer)) },
      redirectURL: '',
      headersSize: -1,
      bodySize: own.octets ?? -1,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _hydrauth: own,
  };
  return entry;
}

const typeOf = (message: { readonly headers: Answer['headers'] }) => headerValues(message, 'content-type')[0] ?? '';

/** HAR keeps bodies behind their content codings. Where we cannot undo these, others may, and find secrets that nobody masked. */
function bodyOf(answer: Answer, masked: Mask) {
  const body = unpacked(answer);
  const isDecoded = 'octets' in body && headerValues(answer, 'content-encoding').length > 0 && body.octets.length > 0;
  const octets = 'octets' in body ? body.octets : isText(answer.body) ? answer.body : masked.sealed(answer.body);
  const isCut = octets.length > mostOctets || (answer.wholeOctets ?? 0) > answer.body.length;
  return { octets: octets.subarray(0, mostLookedAt), isDecoded, isCut };
}

/** So much of a body is recorded, and so much looked at, so that no secret is cut before it is found. */
const mostOctets = 64 * 1024;
export const mostLookedAt = mostOctets + 8 * 1024;

/** Octets below the tabulator are in no text of UTF-8, but in every one of UTF-16. */
const isText = (octets: Buffer) => isUtf8(octets) && !octets.some((each) => each < 9);

function contentOf(octets: Buffer, masked: Mask): { size: number; text: string; encoding?: string } {
  const size = Math.min(octets.length, mostOctets);
  const kept = (text: string, encoding: 'utf8' | 'latin1') => Buffer.from(masked.text(text), encoding).subarray(0, mostOctets);
  if (isText(octets)) return { size, text: kept(octets.toString(), 'utf8').toString() };
  const hidden = kept(octets.toString('latin1'), 'latin1');
  return { size, text: masked.text(hidden.toString('base64')), encoding: 'base64' };
}

/** What a recording lacks of an answer: its body, or how many octets that had on the wire. */
const noBody: WireProblem = { code: 'aborted', message: 'The recording does not have the whole body.' };

/** Path and query of an address, as they went on the wire. */
export const pathOf = (url: string): string => url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/#.*$/s, '') || '/';

/** An entry as an exchange. `sentAtMs` is what the reader makes of its time. */
export function exchangeOf({ request, response, time, _hydrauth: own }: HarEntry, sentAtMs: number): Exchange {
  const plan: Exchange['request'] = {
    method: request.method,
    target: own?.target ?? pathOf(request.url),
    headers: linesOf(request.headers),
    ...(request.postData?.text ? { body: request.postData.text } : {}),
    ...(request.httpVersion === 'HTTP/1.0' && own !== undefined ? { httpVersion: '1.0' as const } : {}),
  };
  const came = { request: plan, sentAtMs, durationMs: Math.max(0, time || 0) };
  const problem = own?.problem as WireProblem | undefined;
  if (!response || !(response.status > 0)) return { ...came, ...(problem && { problem }) };
  const headers = linesOf(response.headers);
  const content = response.content ?? {};
  const body = octetsOf[/^base64$/i.test(content.encoding ?? '') ? 'base64' : 'utf8'](content.text ?? '');
  const isCoded = headerValues({ headers }, 'content-encoding').length > 0;
  // A tool that undid the coding left the header as it was.
  const isDecoded = own === undefined ? isCoded && body.length > 0 && textOf({ headers, body }) === '' : own.decoded === true;
  const head = {
    status: response.status,
    reason: response.statusText ?? '',
    httpVersion: String(response.httpVersion ?? '').replace(/^HTTP\//i, ''),
    headers: isDecoded ? headers.filter(([name]) => name.toLowerCase() !== 'content-encoding') : headers,
  };
  const { kind, length } = frame(head, request.method);
  const stated = kind === 'length' ? length : body.length;
  const answer: Answer = {
    ...head,
    body,
    ...(own?.octets === undefined ? {} : { wholeOctets: own.octets }),
    // Whoever has more octets than stated reads or prints bodies in a way of its own.
    ...(own === undefined && (isDecoded || stated < body.length) ? { isDecoded: true } : {}),
    ...(own?.staysOpen === true ? { staysOpen: true } : {}),
  };
  // Tools count octets or characters.
  const isShort =
    typeof content.text !== 'string' ? (content.size ?? 0) !== 0 || response.bodySize !== 0 : (content.size ?? 0) > body.length;
  // Whoever read fewer octets than stated was not at the end; a tool that kept none of them says 0. A coding may add octets.
  const isLess = body.length < (isCoded ? Math.min(stated, 1) : stated);
  const isCut = own === undefined ? isShort || isLess || Boolean(response._error ?? response._failureText) : own.cut === true;
  return { ...came, answer, ...(problem ? { problem } : isCut && { problem: noBody }) };
}

/** So many lines may stand in one value. */
const mostLines = 1000;

/** In a time that grows with the length alone, unlike a pattern's. */
function withoutBlanks(text: string): string {
  const isBlank = (at: number) => ' \t\r'.includes(text.charAt(at));
  let [from, to] = [0, text.length];
  while (from < to && isBlank(from)) from += 1;
  while (from < to && isBlank(to - 1)) to -= 1;
  return text.slice(from, to);
}

/** Pseudo-headers of HTTP/2 are no headers, and some tools write several lines as one, or blanks that are no part of a value. */
function linesOf(headers: readonly HarHeader[] | undefined): Exchange['request']['headers'] {
  return (headers ?? [])
    .filter(({ name }) => !name.startsWith(':'))
    .flatMap(({ name, value }) =>
      String(value ?? '')
        .split('\n', mostLines)
        .map((each) => headerLine(name, withoutBlanks(each))),
    );
}

/** Most header lines and bodies of traffic are the same. To keep each once saves a quarter of the time to judge a large file. */
function once<Words extends readonly string[], Made>(make: (...words: Words) => Made): (...words: Words) => Made {
  const known = new Map<string, Made>();
  return (...words) => {
    const key = words.join('\n');
    const made = known.get(key) ?? make(...words);
    if (known.size >= mostKept) known.clear();
    if (key.length <= longestKept) known.set(key, made);
    return made;
  };
}
const mostKept = 2000;
const longestKept = 4096;
export const headerLine = once((name: string, value: string): HeaderLine => [name, value]);
const octetsOf = { base64: once((text: string) => Buffer.from(text, 'base64')), utf8: once((text: string) => Buffer.from(text)) };
