import type { Judgement } from '../expect/index.js';
import type { Role } from '../subject/index.js';
import { type Answer, type HeaderLine, statusWords } from '../wire/index.js';
import { answerLaw, type View } from './answer-law.js';
import { likeAnswer } from './judgements.js';

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
  answer.status < 500
    ? { ok: true }
    : { ok: false, expected: 'a client error', actual: `${statusWords(answer)} to ${subject.oracle.presentedIn(exchange)}` };

const wrong: readonly Role[] = ['refused-credentials', 'refused-token'];

export const refusals = [
  answerLaw('exchange.refusal-like-challenge', ['refused-credentials'], likeChallenge),
  answerLaw('token.refusal-like-challenge', ['refused-token'], likeChallenge),
  answerLaw('expiry.refusal-like-challenge', ['refused-expired'], likeChallenge),
  answerLaw('exchange.no-server-error', wrong, clientError),
];
