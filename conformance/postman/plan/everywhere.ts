import type { Protocol } from '../../../spec/index.js';
import { check, type PlannedCheck } from './request.js';

/** What every answer of the three steps has: the headers, and a body that parses. `within` guards the judgement by the step's precondition. */
export function everywhere(protocol: Protocol, place: string, within: 'onChallenge' | 'onExchange' | 'onServed'): PlannedCheck[] {
  const { headers } = protocol;
  const rows: [requirement: string, what: string, judge: string][] = [
    ['headers.content-type', `${headers.contentType} is ${protocol.mediaType}`, 'h.headers.contentType'],
    ['headers.link', `${headers.link} leads to the API documentation`, 'h.headers.link'],
    ['headers.allow-origin', `${headers.allowOrigin} is ${protocol.allowOrigin}`, 'h.headers.allowOrigin'],
    ['headers.content-length', `${headers.contentLength} counts the octets`, 'h.headers.contentLength'],
    ['headers.date', `there is a ${headers.date}`, 'h.headers.date'],
    ['headers.date-format', `${headers.date} is an IMF-fixdate`, 'h.headers.dateFormat'],
    ['jsonld.parses', 'the body is JSON in UTF-8', 'h.parses'],
  ];
  return rows.map(([requirement, what, judge]) => check(requirement, `${what}, on ${place}`, `h.${within}(${judge})`));
}

/** The origin that requests name where it must make no difference. */
export const origin = { Origin: 'https://hydrauth.example' };

export function anyOrigin(protocol: Protocol, place: string, within: 'onChallenge' | 'onServed'): PlannedCheck {
  const what = `${protocol.headers.allowOrigin} is ${protocol.allowOrigin} also for a request that names an origin, on ${place}`;
  return check('headers.allow-origin', what, `h.${within}(h.headers.allowOrigin)`);
}

export function oneMember(body: Readonly<Record<string, string>>): string {
  return `the body has the one member ${Object.entries(body).map(([key, message]) => `"${key}": "${message}"`)}`;
}
