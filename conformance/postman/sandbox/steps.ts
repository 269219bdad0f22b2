import type { Protocol } from '../../../spec/index.js';
import {
  authenticate,
  isKeyedByStatus,
  isOneMember,
  keyOfStatus,
  nonce,
  nonceOf,
  nonceShape,
  shownOctets,
  token,
  tokenShape,
} from '../../expect/index.js';
import type { Received } from './answer.js';
import type { Memory } from './pm.js';
import { fail, judged, untested } from './verdict.js';

/** Of HTTP, not of this protocol (RFC 9110, section 15.5). */
const firstError = 400;
const forbidden = 403;

/** The checks of the three steps, on one answer. */
export function stepChecks(protocol: Protocol, got: Received, { get, set }: Memory) {
  const { answer, status } = got;
  const issued = nonceOf(answer, protocol);
  // A nonce alone makes no challenge: a server may send one with every answer.
  const challenged = () =>
    answer.status === protocol.challenge.status || got.asks() || (issued !== undefined && got.granted(get('resource')) === '');
  const exchanged = () => got.token !== undefined;
  // Postman would fill in a variable that a target names, so that what looks like one is not sent back.
  const usable = (value: string | undefined) => (value?.includes('{{') ? '' : value);
  const keepNonce = (name: string) => set(name, usable(issued));
  const when = (holds: boolean, otherwise: string, judge: () => void) => (holds ? judge() : untested(otherwise));
  const onChallenge = (judge: () => void) => when(challenged(), `the answer is no challenge, but ${status()}`, judge);
  const isServed = (what: string) => {
    got.patience();
    if (!got.served()) fail(what, got.success() ? `${status()} with ${shownOctets(answer.body)}` : status());
  };
  const refusedHere = () => answer.status === protocol.challenge.status || answer.status === forbidden || (!got.success() && got.asks());
  return {
    hasStatus: (wanted: number) => {
      got.patience();
      if (answer.status !== wanted) fail(`status ${wanted}`, status());
    },
    hasBody: (wanted: Readonly<Record<string, string>>) => {
      if (got.problem !== undefined) untested('the body is not JSON, see jsonld.parses');
      if (!isOneMember(got.value, wanted)) fail(JSON.stringify(wanted), shownOctets(answer.body));
    },
    parses: () => {
      if (got.problem !== undefined) fail('a body of JSON in UTF-8', got.problem);
    },
    isKeyedByStatus: () => {
      if (answer.status < firstError || answer.status === protocol.challenge.status) untested(`no other error came, but ${status()}`);
      got.patience();
      if (!isKeyedByStatus(got.value, answer.status, protocol))
        fail(`{"${keyOfStatus(answer.status, protocol)}": "…"}`, shownOctets(answer.body));
    },

    onChallenge,
    asksForCredentials: () => judged(authenticate(answer, protocol)),
    hasNonce: () => judged(nonce(answer, protocol)),
    nonceShaped: () => {
      if (issued === undefined) untested('there is no nonce, see challenge.nonce');
      judged(nonceShape(answer, protocol));
    },
    anotherNonce: () => {
      if (get('first_nonce') === '') untested('the first challenge gave no nonce');
      onChallenge(() => {
        if (issued === undefined) fail('another nonce', 'none');
        if (issued === get('first_nonce')) fail('another nonce', 'the same one again');
      });
    },
    keepNonce,
    keepChallenge: () => {
      const whole = answer.status === protocol.challenge.status && issued !== undefined;
      set('challenged', got.granted(get('resource')) !== '' ? '' : whole ? 'whole' : 'partly');
      keepNonce('first_nonce');
    },

    exchanged,
    onExchange: (judge: () => void) =>
      when(exchanged() || answer.status === protocol.exchange.status, `the exchange was not accepted, ${status()}`, judge),
    hasToken: () => judged(token(answer, protocol)),
    tokenShaped: () => {
      if (!exchanged()) untested('there is no token, see exchange.token');
      judged(tokenShape(answer, protocol));
    },
    anotherToken: () => {
      if (!exchanged()) untested(`the second exchange gave no token, ${status()}`);
      if (got.token === get('token')) fail('another token', 'the same one again');
    },
    keepToken: (name: string) => set(name, usable(got.token)),

    isServed,
    onServed: (judge: () => void) => when(got.served(), `it was not served, ${status()}`, judge),
    opensVocabulary: () => {
      got.patience();
      if (refusedHere()) fail('the vocabulary', status());
      if (!got.served()) untested('the vocabulary is not served at all, see token.vocabulary');
    },
    hasVocabulary: () => {
      if (refusedHere()) untested('the token was refused there, see token.any-endpoint');
      isServed('the vocabulary');
    },
  };
}
