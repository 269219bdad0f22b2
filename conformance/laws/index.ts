import { stepAnswers } from './answers.js';
import { challenge, exchange } from './exchange.js';
import { expiry } from './expiry.js';
import { guesses, predicted } from './guesses.js';
import { documents, errors, headers, headLengths } from './headers.js';
import { hungUp } from './hung-up.js';
import type { AnswerLaw, Law } from './law.js';
import { noEffect, off, protection } from './protection.js';
import { refusedTokens } from './refused-tokens.js';
import { token } from './token.js';
import { unknownUsers, wrongCredentials } from './wrong-credentials.js';
import { wrongNonces } from './wrong-nonces.js';

export { likeAnswer } from './answers.js';
export { type AnswerLaw, type Law, law, type Phase } from './law.js';
export { traffic } from './traffic.js';

/** Every law about answers, in the order in which a reader would take them. */
export const answerLaws: readonly AnswerLaw[] = [...headers, ...stepAnswers, ...documents];

/** Every other law, in the same order. */
export const laws: readonly Law[] = [
  headLengths,
  ...challenge,
  ...exchange,
  guesses,
  predicted,
  wrongNonces,
  ...unknownUsers,
  ...wrongCredentials,
  hungUp,
  ...token,
  ...refusedTokens,
  ...expiry,
  ...protection,
  noEffect,
  errors,
  ...off,
] as readonly Law[];
