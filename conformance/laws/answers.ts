import { isDeepStrictEqual } from 'node:util';
import type { Protocol } from '../../spec/index.js';
import { truncateBody } from '../evidence/index.js';
import * as expect from '../expect/index.js';
import { authenticate, bad, contentType, good, type Judgement, nonceOf, readBody, shown, shownBody, tokenOf } from '../expect/index.js';
import type { Role } from '../subject/index.js';
import { type Answer, type HeaderLine, headerValues, statusWords } from '../wire/index.js';
import { by, ofBody } from './headers.js';
import { type AnswerLaw, answerLaw, type View } from './law.js';

/** A law that a value is handed out once in the whole run: whoever receives it, a second time is a violation. */
function once(requirement: string, what: string, role: Role, read: (answer: Answer, protocol: Protocol) => string | undefined): AnswerLaw {
  return answerLaw(requirement, [role], (answer, { exchange, subject }) => {
    const value = read(answer, subject.protocol);
    if (value === undefined) return undefined;
    const key = `${what} ${value}`;
    const earlier = subject.firstSeen.get(key);
    if (earlier === undefined) {
      // The first of all could not be a second one.
      const isFirst = !subject.firstSeen.has(what);
      for (const each of [what, key]) subject.firstSeen.set(each, truncateBody(exchange));
      return isFirst ? undefined : good;
    }
    return { ...bad(`every ${what} is handed out once`, `the same ${what} in two answers`), chain: [earlier, truncateBody(exchange)] };
  });
}

/** HTTP calls such octets obsolete (RFC 9110, section 5.5); a server may refuse the message for them, whatever it says. */
const isBeyondAscii = ([, value]: HeaderLine) => /[^\t -~]/.test(value);

/** Held against what this target itself answers to a request without credentials, so that a fault of Step A is told once. */
function likeChallenge(answer: Answer, { subject, exchange }: View): Judgement | undefined {
  if (answer.status === 400 && exchange.request.headers.some(isBeyondAscii)) return undefined;
  const { challenge, challenges } = subject.facts;
  const own = (challenges?.get(exchange.request.target) ?? challenge)?.answer;
  return own === undefined ? undefined : likeAnswer(answer, own, subject.protocol);
}

const clientError = (answer: Answer, { exchange, subject }: View): Judgement =>
  answer.status < 500 ? good : bad('a client error', `${statusWords(answer)} to ${subject.oracle.presentedIn(exchange)}`);

function grantStatus({ status }: Answer, { exchange }: Protocol): Judgement {
  return status === exchange.status ? good : bad(`status ${exchange.status}`, `status ${status}`);
}

/** The shape of what is there; that nothing is there is told by another row. */
const nonceShape = (answer: Answer, protocol: Protocol) =>
  nonceOf(answer, protocol) === undefined ? undefined : expect.nonceShape(answer, protocol);
const tokenShape = (answer: Answer, protocol: Protocol) =>
  tokenOf(answer, protocol) === undefined ? undefined : expect.tokenShape(answer, protocol);
const tokenSeparators = (answer: Answer, protocol: Protocol) =>
  tokenShape(answer, protocol)?.ok === true ? expect.tokenUnseparated(answer, protocol) : undefined;

export const stepAnswers = [
  answerLaw('challenge.www-authenticate', ['challenge'], by(authenticate)),
  answerLaw('challenge.nonce', ['challenge'], by(expect.nonce)),
  answerLaw('challenge.nonce-shape', ['challenge'], by(nonceShape)),
  answerLaw('challenge.body', ['challenge'], ofBody(by((answer, { challenge }) => expect.member(answer, challenge.body)))),
  once('challenge.nonce-newly-issued', 'nonce', 'challenge', nonceOf),
  answerLaw('exchange.status', ['exchange'], by(grantStatus)),
  answerLaw('exchange.token', ['exchange'], by(expect.token)),
  answerLaw('exchange.token-shape', ['exchange'], by(tokenShape)),
  answerLaw('exchange.token-separators', ['exchange'], by(tokenSeparators)),
  answerLaw('exchange.body', ['exchange'], ofBody(by((answer, { exchange }) => expect.member(answer, exchange.body)))),
  once('exchange.token-unique', 'token', 'exchange', tokenOf),
  answerLaw('exchange.refusal-like-challenge', ['refused-credentials'], likeChallenge),
  answerLaw('token.refusal-like-challenge', ['refused-token'], likeChallenge),
  answerLaw('expiry.refusal-like-challenge', ['refused-expired'], likeChallenge),
  answerLaw('exchange.no-server-error', ['refused-credentials', 'refused-token'], clientError),
];

/** Whether an answer looks like another, apart from the value of its nonce and its date. Both sides of every difference are shown. */
export function likeAnswer(answer: Answer, own: Answer, protocol: Protocol): Judgement {
  const { headers } = protocol;
  const header = (name: string) => (of: Answer) => shown(name, headerValues(of, name));
  const nonceWords = (of: Answer) => (nonceOf(of, protocol) === undefined ? 'no nonce' : 'a nonce');
  const sides: readonly [isSame: boolean, words: (of: Answer) => string][] = [
    [answer.status === own.status, ({ status }) => `status ${status}`],
    [contentType(answer, protocol).ok === contentType(own, protocol).ok, header(headers.contentType)],
    [authenticate(answer, protocol).ok === authenticate(own, protocol).ok, header(headers.authenticate)],
    [nonceWords(answer) === nonceWords(own), nonceWords],
    [isSameBody(answer, own), (of) => `the body ${shownBody(of)}`],
  ];
  const told = (of: Answer) => sides.flatMap(([isSame, words]) => (isSame ? [] : [words(of)])).join('\n');
  return told(own) === '' ? good : bad(`as without credentials: ${told(own)}`, told(answer));
}

function isSameBody(one: Answer, other: Answer): boolean {
  if (one.body.equals(other.body)) return true;
  const [left, right] = [readBody(one), readBody(other)];
  return left.problem === undefined && right.problem === undefined && isDeepStrictEqual(left.value, right.value);
}
