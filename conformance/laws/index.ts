import type { AnswerLaw } from './answer-law.js';
import { challenge } from './challenge.js';
import { documents } from './documents.js';
import { exchange } from './exchange.js';
import { expiry } from './expiry.js';
import { headers } from './headers.js';
import type { Law } from './law.js';
import { needed } from './nonce-and-credentials.js';
import { off } from './off.js';
import { protection } from './protection.js';
import { refusals } from './refusals.js';
import { token } from './token.js';
import { wrongCredentials } from './wrong-credentials.js';

export type { AnswerLaw } from './answer-law.js';
export { likeAnswer } from './judgements.js';
export { type How, type Law, law, type Phase } from './law.js';
export { workingToken } from './token.js';

/** Every law, in the order in which a reader would take them. */
export const laws: readonly Law[] = [
  ...headers,
  ...challenge,
  ...exchange,
  ...needed,
  ...wrongCredentials,
  ...refusals,
  ...token,
  ...expiry,
  ...protection,
  ...documents,
  ...off,
];

export function isAnswerLaw(law: Law): law is AnswerLaw {
  return 'inPassing' in law;
}
