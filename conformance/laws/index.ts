import type { AnswerLaw } from './answer-law.js';
import { challenge, challengeAnswers } from './challenge.js';
import { documents, errors } from './documents.js';
import { exchange, exchangeAnswers } from './exchange.js';
import { expiry } from './expiry.js';
import { guesses } from './guesses.js';
import { headers, headLengths } from './headers.js';
import { hungUp } from './hung-up.js';
import type { Law } from './law.js';
import { noEffect } from './no-effect.js';
import { off } from './off.js';
import { predicted } from './predicted.js';
import { protection } from './protection.js';
import { refusals } from './refusals.js';
import { refusedTokens } from './refused-tokens.js';
import { token } from './token.js';
import { unknownUsers } from './unknown-users.js';
import { wrongCredentials } from './wrong-credentials.js';
import { wrongNonces } from './wrong-nonces.js';

export type { AnswerLaw } from './answer-law.js';
export { likeAnswer } from './judgements.js';
export { type Law, law, type Phase } from './law.js';
export { traffic } from './traffic.js';

/** Every law about answers, in the order in which a reader would take them. */
export const answerLaws: readonly AnswerLaw[] = [...headers, ...challengeAnswers, ...exchangeAnswers, ...refusals, ...documents];

/** Every other law, in the same order. */
export const laws: readonly Law[] = [
  headLengths,
  ...challenge,
  ...exchange,
  ...guesses,
  predicted,
  ...wrongNonces,
  ...unknownUsers,
  ...wrongCredentials,
  hungUp,
  ...token,
  ...refusedTokens,
  ...expiry,
  ...protection,
  noEffect,
  ...errors,
  ...off,
] as readonly Law[];
