import type { Protocol } from '../../spec/index.js';
import { type Answer, type Exchange, fromTarget, headerValues } from '../wire/index.js';
import { normalised, type Resolve, requestUrl, resolveUrl } from './addresses.js';
import { bad, good, type Judgement, shown } from './judgement.js';
import { mediaTypeOf } from './media-type.js';
import { parseLinks } from './web-links.js';

type Headers = Pick<Answer, 'headers'>;

export function contentType(answer: Headers, protocol: Protocol): Judgement {
  const name = protocol.headers.contentType;
  const values = headerValues(answer, name);
  const matches = values.length > 0 && values.every((value) => mediaTypeOf(value) === protocol.mediaType.toLowerCase());
  return matches ? good : bad(`${name}: ${protocol.mediaType}`, shown(name, values));
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
  const values = headerValues(answer, name);
  return values.length > 0 && values.every((value) => value === wanted) ? good : bad(`${name}: ${wanted}`, shown(name, values));
}

/** An answer to HEAD may leave it out, and 204 and 304 have no body to count (RFC 9110, section 8.6). */
export function contentLength({ request, answer, problem }: Exchange, protocol: Protocol): Judgement {
  const name = protocol.headers.contentLength;
  if (answer === undefined) return bad(`a ${name} header`, 'no answer');
  const values = headerValues(answer, name);
  const wanted = request.method === 'HEAD' ? `no body, and one number in ${name}` : `as many octets as ${name} says`;
  if (problem?.code === 'length') return bad(wanted, `${shown(name, values)}\n${problem.message}`);
  const bodiless = request.method === 'HEAD' || answer.status === 204 || answer.status === 304;
  if (!bodiless) return octetCount(answer, protocol, problem === undefined ? (answer.wholeOctets ?? answer.body.length) : undefined);
  return values.length === 0 ? good : octetCount(answer, protocol, undefined);
}

/** The length that an answer states, against the octets that came; undefined where they say nothing about it. */
export function octetCount(answer: Headers, protocol: Protocol, octets: number | undefined): Judgement {
  const name = protocol.headers.contentLength;
  const values = headerValues(answer, name);
  const numbers = values.flatMap((value) => value.split(',')).map((value) => value.trim());
  const matches = numbers.length > 0 && numbers.every((each) => /^[0-9]+$/.test(each) && (octets === undefined || Number(each) === octets));
  return matches ? good : bad(octets === undefined ? `${name} of the body` : `${name}: ${octets}`, shown(name, values));
}

export function date(answer: Headers, protocol: Protocol): Judgement {
  const values = headerValues(answer, protocol.headers.date);
  return values.some((value) => value !== '') ? good : bad(`a ${protocol.headers.date} header`, shown(protocol.headers.date, values));
}

/** An answer without any Date does not pass; judge its presence first. */
export function dateFormat(answer: Headers, protocol: Protocol): Judgement {
  const values = headerValues(answer, protocol.headers.date);
  // A date of the usual shape must also be one: no other weekday, no 31st of June.
  const isReal = (value: string) => !/^[A-Z][a-z]{2}, /.test(value) || new Date(value).toUTCString() === value;
  const exact = (value: string) => protocol.datePattern.test(value) && isReal(value);
  return values.length > 0 && values.every(exact)
    ? good
    : bad('a date like "Sun, 06 Nov 1994 08:49:37 GMT"', shown(protocol.headers.date, values));
}

export function notRepeated(answer: Headers, protocol: Protocol): Judgement {
  const { contentType, allowOrigin, contentLength, date, nonce, token } = protocol.headers;
  const repeated = [contentType, allowOrigin, contentLength, date, nonce, token].filter((name) => headerValues(answer, name).length > 1);
  if (repeated.length === 0) return good;
  return bad(`${repeated.join(', ')} once`, repeated.map((name) => shown(name, headerValues(answer, name))).join('\n'));
}
