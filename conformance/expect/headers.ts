import type { Protocol } from '../../spec/index.js';
import { type Answer, headerValues, type Unaddressed } from '../wire/index.js';
import { normalised, requestUrl } from './addresses.js';
import { bad, good, type Judgement, shown } from './judgement.js';
import { parseMediaType } from './media-type.js';
import { parseLinks } from './web-links.js';

type Headers = Pick<Answer, 'headers'>;

export function contentType(answer: Headers, protocol: Protocol): Judgement {
  const name = protocol.headers.contentType;
  const values = headerValues(answer, name);
  const matches = values.length > 0 && values.every((value) => parseMediaType(value)?.essence === protocol.mediaType.toLowerCase());
  return matches ? good : bad(`${name}: ${protocol.mediaType}`, shown(name, values));
}

/** JSON is sent in UTF-8 (RFC 8259, section 8.1), so a charset that is named must not say otherwise. */
export function charset(answer: Headers, protocol: Protocol): Judgement {
  const name = protocol.headers.contentType;
  const values = headerValues(answer, name);
  const named = values.flatMap((value) => parseMediaType(value)?.parameters.get('charset')?.toLowerCase() ?? []);
  const wrong = named.filter((each) => !['utf-8', 'utf8', 'us-ascii'].includes(each));
  return wrong.length === 0 ? good : bad('a body in UTF-8', shown(name, values));
}

/** Relative links are resolved against the address of the request, given by its target as it went on the wire. */
export function link(answer: Headers, protocol: Protocol, baseUrl: URL, target: string): Judgement {
  const address = requestUrl(baseUrl, target);
  const name = protocol.headers.link;
  const values = headerValues(answer, name);
  const relation = protocol.link.relation.toLowerCase();
  const wanted = `${baseUrl.href.replace(/\/$/, '')}${protocol.link.path}`;
  const here = normalised('', address);
  const found = parseLinks(values).some(
    (each) =>
      each.relations.includes(relation) &&
      (each.anchor === undefined || normalised(each.anchor, address) === here) &&
      normalised(each.target, address) === normalised(wanted, baseUrl),
  );
  return found ? good : bad(`${name}: <${wanted}>; rel="${protocol.link.relation}"`, shown(name, values));
}

export function allowOrigin(answer: Headers, protocol: Protocol): Judgement {
  const name = protocol.headers.allowOrigin;
  const values = headerValues(answer, name);
  const matches = values.length > 0 && values.every((value) => value === protocol.allowOrigin);
  return matches ? good : bad(`${name}: ${protocol.allowOrigin}`, shown(name, values));
}

/** An answer to HEAD may leave it out, and 204 and 304 have no body to count (RFC 9110, section 8.6). */
export function contentLength({ request, answer, problem }: Unaddressed, protocol: Protocol): Judgement {
  const name = protocol.headers.contentLength;
  if (answer === undefined) return bad(`a ${name} header`, 'no answer');
  const values = headerValues(answer, name);
  const octets = answer.body.length;
  const bodiless = request.method === 'HEAD' || answer.status === 204 || answer.status === 304;
  const expected = bodiless ? `${name} of the body, if any is sent` : `${name}: ${octets}`;
  if (problem?.code === 'length') return bad('as many octets as Content-Length says', `${shown(name, values)}\n${problem.message}`);
  if (values.length === 0) return bodiless ? good : bad(expected, shown(name, values));
  const numbers = values.flatMap((value) => value.split(',')).map((value) => value.trim());
  const wrong = numbers.some((each) => !/^[0-9]+$/.test(each) || (!bodiless && problem === undefined && Number(each) !== octets));
  return wrong ? bad(expected, shown(name, values)) : good;
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
