import type { Protocol } from '../../spec/index.js';
import { type Answer, headerValues } from '../wire/index.js';
import { parseAuthChallenges } from './auth-challenges.js';
import { readBody, shownBody } from './body.js';
import { contentType } from './headers.js';
import { bad, good, type Judgement, shown } from './judgement.js';

type Headers = Pick<Answer, 'headers'>;

/** The scheme may stand among others, and further parameters beside the realm. */
export function authenticate(answer: Headers, protocol: Protocol): Judgement {
  const { scheme, realm } = protocol.challenge;
  const values = headerValues(answer, protocol.headers.authenticate);
  const found = values
    .flatMap((value) => parseAuthChallenges(value) ?? [])
    .some((challenge) => challenge.scheme === scheme.toLowerCase() && challenge.parameters.get('realm') === realm);
  return found
    ? good
    : bad(`${protocol.headers.authenticate}: ${protocol.challenge.authenticate}`, shown(protocol.headers.authenticate, values));
}

/** The nonce of an answer; undefined when there is none or an empty one. */
export function nonceOf(answer: Headers, protocol: Protocol): string | undefined {
  return headerValues(answer, protocol.headers.nonce).find((value) => value !== '');
}

export function tokenOf(answer: Headers, protocol: Protocol): string | undefined {
  return headerValues(answer, protocol.headers.token).find((value) => value !== '');
}

export function nonce(answer: Headers, protocol: Protocol): Judgement {
  return presence(answer, protocol.headers.nonce, nonceOf(answer, protocol), 'a nonce');
}

export function token(answer: Headers, protocol: Protocol): Judgement {
  return presence(answer, protocol.headers.token, tokenOf(answer, protocol), 'a token');
}

function presence(answer: Headers, name: string, value: string | undefined, words: string): Judgement {
  return value === undefined ? bad(`${name}: ${words}`, shown(name, headerValues(answer, name))) : good;
}

/** An answer without any nonce does not pass; judge its presence first. */
export function nonceShape(answer: Headers, protocol: Protocol): Judgement {
  return shape(answer, protocol.headers.nonce, protocol.challenge.noncePattern, 'a UUID');
}

export function tokenShape(answer: Headers, protocol: Protocol): Judgement {
  return shape(answer, protocol.headers.token, protocol.exchange.tokenPattern, 'hexadecimal digits');
}

function shape(answer: Headers, name: string, pattern: RegExp, words: string): Judgement {
  const values = headerValues(answer, name);
  return values.length > 0 && values.every((value) => pattern.test(value)) ? good : bad(`${name}: ${words}`, shown(name, values));
}

/** The body is an object with exactly this member. A member sent twice counts as one here; `readBody` tells of it. */
export function member(answer: Pick<Answer, 'body' | 'headers'>, wanted: Readonly<Record<string, string>>): Judgement {
  const { value } = readBody(answer);
  const [[key, message]] = Object.entries(wanted) as [[string, string]];
  const matches = isObject(value) && Object.keys(value).length === 1 && Object.hasOwn(value, key) && value[key] === message;
  return matches ? good : bad(JSON.stringify(wanted), shownBody(answer));
}

/** An error body has one member, whose key is the status and whose value is a text. */
export function statusKeyed(answer: Pick<Answer, 'body' | 'headers' | 'status'>, protocol: Protocol): Judgement {
  const { value } = readBody(answer);
  const key = String(answer.status);
  const matches =
    isObject(value) &&
    Object.keys(value).length === 1 &&
    Object.hasOwn(value, key) &&
    typeof value[key] === 'string' &&
    protocol.errorKeyPattern.test(key);
  return matches ? good : bad(`{"${key}": "…"}`, shownBody(answer));
}

/** The ways in which an answer differs from the challenge of Step A; none when it is one. */
export function sameAsChallenge(answer: Answer, protocol: Protocol, method: string): string[] {
  const { status, body } = protocol.challenge;
  const differences: [string, Judgement][] = [
    ['the status', answer.status === status ? good : bad(String(status), String(answer.status))],
    ['the content type', contentType(answer, protocol)],
    [protocol.headers.authenticate, authenticate(answer, protocol)],
    ['the nonce', nonceShape(answer, protocol)],
    ['the body', method === 'HEAD' ? good : member(answer, body)],
  ];
  return differences.flatMap(([what, judgement]) =>
    judgement.ok ? [] : `${what} is ${JSON.stringify(judgement.actual)} instead of ${judgement.expected}`,
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
