import { madeUp } from '../../spec/index.js';
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

const beside = (what: 'credentials' | 'nonce' | 'nonce and credentials'): State => ({
  id: `token and useless ${what}`,
  words: `A valid token beside ${what === 'credentials' ? 'credentials of another scheme' : `a useless ${what}`}`,
  about: 'valid-token',
  must: 'granted',
  moment: 'any',
  requirement: 'token.beside-other-credentials',
  hasNoLaw: true,
  ...(what === 'nonce and credentials' ? {} : { isPlainOnly: true }),
  byChance: 'token.reusable',
  plainer: 'fresh token',
  ownRow: true,
  bring: async (trial, token) => {
    const { headers, challenge } = trial.protocol;
    const lines: HeaderLine[] = [tokenLine(trial, (await token()).value)];
    if (what !== 'credentials') lines.push([headers.nonce, madeUp(challenge.noncePattern)]);
    if (what !== 'nonce') lines.push([headers.authorization, what === 'credentials' ? 'Other x' : basic(challenge.scheme, '', '')]);
    return lines;
  },
});

export const tokenStates: readonly State[] = [
  valid('fresh token', 'A valid token', 'any'),
  valid('token of middle age', 'A token of half its time', 'middle'),
  valid('token before its end', 'A token just before its end', 'end'),
  ...(['credentials', 'nonce', 'nonce and credentials'] as const).map(beside),
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
