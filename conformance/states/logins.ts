import { madeUp } from '../../spec/index.js';
import { basic } from '../arbitraries/index.js';
import type { Trial } from '../subject/index.js';
import type { HeaderLine } from '../wire/index.js';
import type { State } from './state.js';

const nonceLine = (trial: Trial, nonce: string): HeaderLine => [trial.protocol.headers.nonce, nonce];
const credentials = (trial: Trial, id = trial.user.id, paraphrase = trial.user.paraphrase): HeaderLine => {
  const value = basic(trial.protocol.challenge.scheme, id, paraphrase);
  trial.subject.redactor.secret(value, 'credentials');
  return [trial.protocol.headers.authorization, value];
};

/** Another id each time, because some services lock even ids that nobody has. */
const nobody = () => String(7_000_000 + Math.floor(Math.random() * 2_000_000));

export const loginStates: readonly State[] = [
  {
    id: 'nothing',
    words: 'A request without credentials',
    about: 'stranger',
    must: 'challenged',
    moment: 'any',
    requirement: 'challenge.status',
    bring: async () => [],
  },
  {
    id: 'nonce and right credentials',
    words: 'A fresh nonce with the right credentials',
    about: 'login',
    must: 'granted',
    moment: 'any',
    requirement: 'exchange.status',
    bring: async (trial) => [nonceLine(trial, (await trial.challenge()).value), credentials(trial)],
  },
  {
    id: 'nonce, right credentials and an unknown token',
    words: 'A fresh nonce with the right credentials, beside an unknown token,',
    about: 'login',
    must: 'granted',
    moment: 'any',
    requirement: 'exchange.beside-stale-token',
    hasNoLaw: true,
    plainer: 'nonce and right credentials',
    ownRow: true,
    bring: async (trial) => [
      nonceLine(trial, (await trial.challenge()).value),
      credentials(trial),
      [trial.protocol.headers.token, madeUp(trial.protocol.exchange.tokenPattern)],
    ],
  },
  {
    id: 'nonce',
    words: 'A nonce without credentials',
    about: 'wrong-login',
    must: 'refused',
    moment: 'any',
    requirement: 'exchange.credentials-needed',
    hasNoLaw: true,
    bring: async (trial) => [nonceLine(trial, (await trial.challenge()).value)],
  },
  {
    id: 'credentials',
    words: 'The right credentials without a nonce',
    about: 'wrong-login',
    must: 'refused',
    moment: 'late',
    requirement: 'exchange.nonce-needed',
    hasNoLaw: true,
    bring: async (trial) => [credentials(trial)],
  },
  {
    id: 'wrong nonce',
    words: 'The right credentials with a nonce that was never issued',
    about: 'wrong-login',
    must: 'refused',
    moment: 'late',
    requirement: 'exchange.wrong-nonce-refused',
    bring: async (trial) => [nonceLine(trial, madeUp(trial.protocol.challenge.noncePattern)), credentials(trial)],
  },
  {
    id: 'unknown user',
    words: 'A nonce with the id of no user',
    about: 'wrong-login',
    must: 'refused',
    moment: 'any',
    requirement: 'exchange.unknown-user-refused',
    bring: async (trial) => [nonceLine(trial, (await trial.challenge()).value), credentials(trial, nobody())],
  },
  {
    id: 'wrong paraphrase',
    words: 'A nonce with a wrong paraphrase',
    about: 'wrong-login',
    must: 'refused',
    moment: 'late',
    requirement: 'exchange.wrong-paraphrase-refused',
    bring: async (trial) => [
      nonceLine(trial, (await trial.challenge()).value),
      credentials(trial, trial.user.id, `${trial.user.paraphrase}x`),
    ],
  },
];
