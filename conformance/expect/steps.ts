import type { Protocol } from '../../spec/index.js';
import { type Answer, formWords, headerValues } from '../wire/index.js';
import { parseAuthChallenges } from './auth-challenges.js';
import { readBody, shownBody } from './body.js';
import { bad, good, type Judgement, shown } from './judgement.js';
import { isKeyedByStatus, isOneMember } from './members.js';

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
  const { nonce: name } = protocol.headers;
  const values = carried(answer, name);
  const matches = values.length > 0 && values.every((value) => protocol.challenge.noncePattern.test(value));
  return matches ? good : bad(`${name}: a UUID`, shown(name, headerValues(answer, name)));
}

/** "Hexadecimal-looking": separators among the digits are a matter of taste, other characters are not. */
export function tokenShape(answer: Headers, protocol: Protocol): Judgement {
  const withoutSeparators = (value: string) => value.replace(/(?<=.)[-:_.](?=.)/g, '');
  return hexadecimal(answer, protocol, 'hexadecimal digits', withoutSeparators);
}

export function tokenUnseparated(answer: Headers, protocol: Protocol): Judgement {
  return hexadecimal(answer, protocol, 'hexadecimal digits without separators', (value) => value);
}

/** A token is a secret, so that its form is told and not the token. */
function hexadecimal(answer: Headers, protocol: Protocol, words: string, reading: (value: string) => string): Judgement {
  const { token: name } = protocol.headers;
  const values = carried(answer, name);
  const wrong = values.filter((value) => !protocol.exchange.tokenPattern.test(reading(value)));
  if (values.length > 0 && wrong.length === 0) return good;
  return bad(`${name}: ${words}`, values.length === 0 ? shown(name, []) : wrong.map((value) => `${name}: ${formWords(value)}`).join('\n'));
}

/** A member sent twice counts as one here; `readBody` tells of it. */
export function member(answer: Pick<Answer, 'body' | 'headers'>, wanted: Readonly<Record<string, string>>): Judgement {
  return isOneMember(readBody(answer).value, wanted) ? good : bad(JSON.stringify(wanted), shownBody(answer));
}

export function statusKeyed(answer: Pick<Answer, 'body' | 'headers' | 'status'>, protocol: Protocol): Judgement {
  const matches = isKeyedByStatus(readBody(answer).value, answer.status, protocol);
  return matches ? good : bad(`{"${answer.status}": "…"}`, shownBody(answer));
}
