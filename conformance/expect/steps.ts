import type { Protocol } from '../../spec/index.js';
import { type Answer, formWords, fromTarget, headerValues } from '../wire/index.js';
import { readBody, shownBody } from './body.js';
import { parseAuthChallenges } from './grammar.js';
import { bad, good, type Judgement, shown } from './judgement.js';
import { isKeyedByStatus, isOneMember, keyOfStatus } from './members.js';

type Headers = Pick<Answer, 'headers'>;

/** The scheme may stand among others, and further parameters beside the realm. */
export function authenticate(answer: Headers, protocol: Protocol): Judgement {
  const { scheme, realm } = protocol.challenge;
  const values = headerValues(answer, protocol.headers.authenticate);
  const found = values
    .flatMap((value) => parseAuthChallenges(value) ?? [])
    .some((challenge) => challenge.scheme === scheme.toLowerCase() && challenge.parameters.get('realm') === realm);
  const name = protocol.headers.authenticate;
  return found ? good : bad(`${name}: ${protocol.challenge.authenticate}`, shown(name, values));
}

/** The nonce that an answer carries: the first line of its header that is not empty. */
export function nonceOf(answer: Headers, protocol: Protocol): string | undefined {
  return carried(answer, protocol.headers.nonce)[0];
}

export function tokenOf(answer: Headers, protocol: Protocol): string | undefined {
  return carried(answer, protocol.headers.token)[0];
}

/** An empty line carries nothing, whatever stands before or after it. */
function carried(answer: Headers, name: string): string[] {
  return headerValues(answer, name)
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

export function nonce(answer: Headers, protocol: Protocol): Judgement {
  return presence(answer, protocol.headers.nonce, nonceOf(answer, protocol), 'a nonce', protocol);
}

export function token(answer: Headers, protocol: Protocol): Judgement {
  return presence(answer, protocol.headers.token, tokenOf(answer, protocol), 'a token', protocol);
}

function presence(answer: Headers, name: string, value: string | undefined, words: string, protocol: Protocol): Judgement {
  if (value !== undefined) return good;
  const other = headerOfThatShape(answer, protocol);
  const hint = other === undefined ? '' : `, but ${fromTarget(other)} looks like ${words}`;
  return bad(`${name}: ${words}`, `${shown(name, headerValues(answer, name))}${hint}`);
}

/** Ids of other kinds have the same shape. */
const otherIds = /request|correlation|trace|etag/i;
const leastCharacters = 16;

/** Another header whose value looks like a nonce or a token: the service may have other names for them. */
export function headerOfThatShape(answer: Headers, { headers, challenge, exchange }: Protocol): string | undefined {
  const own = Object.values(headers).map((name) => name.toLowerCase());
  const isLike = (value: string) =>
    value.length >= leastCharacters && (challenge.noncePattern.test(value) || exchange.tokenPattern.test(value));
  return answer.headers.find(([name, value]) => !own.includes(name.toLowerCase()) && !otherIds.test(name) && isLike(value.trim()))?.[0];
}

/** An answer without any nonce does not pass; judge its presence first. */
export function nonceShape(answer: Headers, protocol: Protocol): Judgement {
  return shape(answer, protocol.headers.nonce, protocol.challenge.noncePattern, protocol.challenge.nonceWords, fromTarget);
}

/** "Hexadecimal-looking": separators among the digits are a matter of taste, other characters are not. */
export function tokenShape(answer: Headers, protocol: Protocol): Judgement {
  const readings = (value: string) => [
    value.replace(/(?<=.)[-:_.](?=.)/g, ''),
    // Where some separators belong to the shape, others may stand among them.
    ...['-', ':', '_', '.'].map((separator) => value.split(separator).join('')),
  ];
  return shape(answer, protocol.headers.token, protocol.exchange.tokenPattern, protocol.exchange.tokenWords, formWords, readings);
}

export function tokenUnseparated(answer: Headers, protocol: Protocol): Judgement {
  const { tokenPattern, tokenWords } = protocol.exchange;
  return shape(answer, protocol.headers.token, tokenPattern, `${tokenWords} without separators`, formWords);
}

/** A token is a secret, so that its form is told and not the token. */
function shape(
  answer: Headers,
  name: string,
  pattern: RegExp,
  words: string,
  told: (value: string) => string,
  readings: (value: string) => readonly string[] = () => [],
): Judgement {
  const values = carried(answer, name);
  const wrong = values.filter((value) => ![value, ...readings(value)].some((each) => pattern.test(each)));
  if (values.length > 0 && wrong.length === 0) return good;
  return bad(`${name}: ${words}`, values.length === 0 ? shown(name, []) : wrong.map((value) => `${name}: ${told(value)}`).join('\n'));
}

/** A member sent twice counts as one here; `readBody` tells of it. */
export function member(answer: Pick<Answer, 'body' | 'headers'>, wanted: Readonly<Record<string, string>>): Judgement {
  return isOneMember(readBody(answer).value, wanted) ? good : bad(JSON.stringify(wanted), shownBody(answer));
}

export function statusKeyed(answer: Pick<Answer, 'body' | 'headers' | 'status'>, protocol: Protocol): Judgement {
  const matches = isKeyedByStatus(readBody(answer).value, answer.status, protocol);
  return matches ? good : bad(`{"${keyOfStatus(answer.status, protocol)}": "…"}`, shownBody(answer));
}
