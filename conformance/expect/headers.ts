import type { Protocol } from '../../spec/index.js';
import { type Answer, type Exchange, fromTarget, headerValues } from '../wire/index.js';
import { normalised, type Resolve, requestUrl, resolveUrl } from './addresses.js';
import { parseLinks } from './grammar.js';
import { bad, good, type Judgement, shown } from './judgement.js';

type Headers = Pick<Answer, 'headers'>;

/** Type and subtype of a media type in lower case (RFC 9110, section 8.3.1). Parameters, well-formed or not, do not change the type. */
export function mediaTypeOf(value: string): string | undefined {
  return /^[ \t]*([!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+)[ \t]*(?:;|$)/.exec(value)?.[1]?.toLowerCase();
}

/** Every line of a header, and there is one, is like this. */
function everyLine(answer: Headers, name: string, expected: string, isRight: (value: string) => boolean): Judgement {
  const values = headerValues(answer, name);
  return values.length > 0 && values.every(isRight) ? good : bad(expected, shown(name, values));
}

export function contentType(answer: Headers, { headers, mediaType }: Protocol): Judgement {
  const isRight = (value: string) => mediaTypeOf(value) === mediaType.toLowerCase();
  return everyLine(answer, headers.contentType, `${headers.contentType}: ${mediaType}`, isRight);
}

/** Relative links are resolved against the address of the request, given by its target as it went on the wire. */
export function link(answer: Headers, protocol: Protocol, baseUrl: URL, target: string): Judgement {
  const resolve: Resolve = (against, reference) => resolveUrl(requestUrl(baseUrl, against).href, reference);
  const base = baseUrl.href.replace(/\/$/, '');
  const judgement = linkFrom(answer, protocol, base, target, resolve);
  if (judgement.ok) return judgement;
  const { path, relation } = protocol.link;
  const own = parseLinks(headerValues(answer, protocol.headers.link))
    .filter(({ relations }) => relations.includes(relation.toLowerCase()))
    .map((each) => resolve(target, each.target) ?? '')
    .find((each) => each.endsWith(path));
  if (own === undefined) return judgement;
  const other = fromTarget(own.slice(0, -path.length));
  return bad(
    judgement.expected,
    `${judgement.actual}\nThe service calls itself ${other}, and this run was given ${base}. Behind a proxy, tell the service its public base URL; otherwise judge it at ${other}.`,
  );
}

/** A link with another context than the answer itself does not count (RFC 8288, section 3.2). */
export function linkFrom(answer: Headers, protocol: Protocol, baseUrl: string, address: string, resolve: Resolve): Judgement {
  const name = protocol.headers.link;
  const values = headerValues(answer, name);
  const wanted = `${baseUrl}${protocol.link.path}`;
  const meant = (reference: string) => normalised(resolve(address, reference) ?? '');
  const isSame = (one: string, other: string) => one === other || meant(one) === meant(other);
  const found = parseLinks(values).some(
    ({ relations, anchor = '', target }) =>
      relations.includes(protocol.link.relation.toLowerCase()) && isSame(anchor, '') && isSame(target, wanted),
  );
  return found ? good : bad(`${name}: <${wanted}>; rel="${protocol.link.relation}"`, shown(name, values));
}

export function allowOrigin(answer: Headers, protocol: Protocol): Judgement {
  return headerIs(answer, protocol.headers.allowOrigin, protocol.allowOrigin);
}

/** A header that has exactly this value, in each of its lines. */
export function headerIs(answer: Headers, name: string, wanted: string): Judgement {
  return everyLine(answer, name, `${name}: ${wanted}`, (value) => value === wanted);
}

/** An answer to HEAD may leave it out, and 204 and 304 have no body to count (RFC 9110, section 8.6). */
export function contentLength({ request, answer, problem }: Exchange, protocol: Protocol): Judgement {
  const name = protocol.headers.contentLength;
  if (answer === undefined) return bad(`a ${name} header`, 'no answer');
  const values = headerValues(answer, name);
  const wanted = request.method === 'HEAD' ? `no body, and one number in ${name}` : `as many octets as ${name} says`;
  if (problem?.code === 'length') return bad(wanted, `${shown(name, values)}\n${problem.message}`);
  const bodiless = request.method === 'HEAD' || answer.status === 204 || answer.status === 304;
  const isCountable = problem === undefined && answer.isDecoded !== true;
  if (!bodiless) return octetCount(answer, protocol, isCountable ? (answer.wholeOctets ?? answer.body.length) : undefined);
  return values.length === 0 ? good : octetCount(answer, protocol, undefined);
}

/** The length that an answer states, against the octets that came; undefined where they say nothing about it. */
export function octetCount(answer: Headers, protocol: Protocol, octets: number | undefined): Judgement {
  const name = protocol.headers.contentLength;
  const isRight = (number: string) => /^[0-9]+$/.test(number) && (octets === undefined || Number(number) === octets);
  const expected = octets === undefined ? `${name} of the body` : `${name}: ${octets}`;
  return everyLine(answer, name, expected, (value) => value.split(',').every((each) => isRight(each.trim())));
}

export function date(answer: Headers, { headers }: Protocol): Judgement {
  const values = headerValues(answer, headers.date);
  return values.some((value) => value !== '') ? good : bad(`a ${headers.date} header`, shown(headers.date, values));
}

/** An answer without any Date does not pass; judge its presence first. */
export function dateFormat(answer: Headers, { headers, datePattern }: Protocol): Judgement {
  // A date of the usual shape must also be one: no other weekday, no 31st of June.
  const isReal = (value: string) => !/^[A-Z][a-z]{2}, /.test(value) || new Date(value).toUTCString() === value;
  const isRight = (value: string) => datePattern.test(value) && isReal(value);
  return everyLine(answer, headers.date, 'a date like "Sun, 06 Nov 1994 08:49:37 GMT"', isRight);
}

export function notRepeated(answer: Headers, protocol: Protocol): Judgement {
  const { contentType, allowOrigin, contentLength, date, nonce, token } = protocol.headers;
  const repeated = [contentType, allowOrigin, contentLength, date, nonce, token].filter((name) => headerValues(answer, name).length > 1);
  if (repeated.length === 0) return good;
  return bad(`${repeated.join(', ')} once`, repeated.map((name) => shown(name, headerValues(answer, name))).join('\n'));
}
