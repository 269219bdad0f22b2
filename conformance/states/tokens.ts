import { madeUp, type Protocol } from '../../spec/index.js';
import { basic, lastCharacterChanged, nearMiss } from '../arbitraries/index.js';
import { type Token, type Trial, Untested } from '../subject/index.js';
import type { HeaderLine } from '../wire/index.js';
import type { Moment, State } from './state.js';

const tokenLine = (trial: Trial, token: string): HeaderLine => [trial.protocol.headers.token, token];

const valid = (id: string, words: string, moment: Moment): State => ({
  id,
  words,
  about: 'valid-token',
  must: 'granted',
  moment,
  requirement: 'token.sufficient',
  byChance: 'token.reusable',
  ...(moment === 'any' ? {} : { plainer: 'fresh token' }),
  bring: async (trial, token) => [tokenLine(trial, (await token()).value)],
});

function almost(trial: Trial, { value }: Token): string {
  const missed = nearMiss(value, lastCharacterChanged);
  if (missed === undefined || trial.subject.ledger.hasIssued(missed.value)) throw new Untested('the changed token is one that was issued');
  trial.subject.redactor.token(missed.value, 'token with its last character changed');
  return missed.value;
}

const beside = (what: string, words: string, linesOf: (protocol: Protocol) => readonly HeaderLine[], isPlainOnly = false): State => ({
  id: `token and ${what}`,
  words: `A valid token beside ${words}`,
  about: 'valid-token',
  must: 'granted',
  moment: 'any',
  requirement: 'token.beside-other-credentials',
  hasNoLaw: true,
  ...(isPlainOnly ? { isPlainOnly } : {}),
  byChance: 'token.reusable',
  plainer: 'fresh token',
  ownRow: true,
  bring: async (trial, token) => [tokenLine(trial, (await token()).value), ...linesOf(trial.protocol)],
});

const uselessNonce = ({ headers, challenge }: Protocol): HeaderLine => [headers.nonce, madeUp(challenge.noncePattern)];

export const tokenStates: readonly State[] = [
  valid('fresh token', 'A valid token', 'any'),
  valid('token of middle age', 'A token of half its time', 'middle'),
  valid('token before its end', 'A token just before its end', 'end'),
  beside('useless credentials', 'credentials of another scheme', ({ headers }) => [[headers.authorization, 'Other x']], true),
  beside('malformed credentials', 'malformed credentials', ({ headers, challenge }) => [[headers.authorization, challenge.scheme]], true),
  beside('useless nonce', 'a useless nonce', (protocol) => [uselessNonce(protocol)], true),
  beside('useless nonce and credentials', 'a useless nonce and credentials', (protocol) => [
    uselessNonce(protocol),
    [protocol.headers.authorization, basic(protocol.challenge.scheme, '', '')],
  ]),
  {
    id: 'expired token',
    words: 'An expired token',
    about: 'expired-token',
    must: 'refused',
    moment: 'expired',
    requirement: 'expiry.refused-after',
    bring: async (trial, token) => [tokenLine(trial, (await token()).value)],
  },
  {
    id: 'unknown token',
    words: 'A token that was never issued',
    about: 'unknown-token',
    must: 'refused',
    moment: 'any',
    requirement: 'token.unknown-refused',
    bring: async (trial) => [tokenLine(trial, madeUp(trial.protocol.exchange.tokenPattern))],
  },
  {
    id: 'almost a token',
    words: 'A token with its last character changed',
    about: 'unknown-token',
    must: 'refused',
    moment: 'any',
    requirement: 'token.unknown-refused',
    bring: async (trial, token) => [tokenLine(trial, almost(trial, await token()))],
  },
];
