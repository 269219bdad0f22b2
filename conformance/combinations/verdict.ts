import type { Protocol } from '../../spec/index.js';
import { grantOf, inWords, judge, type Verdict } from '../oracle/index.js';
import type { Trial } from '../subject/index.js';
import { type Exchange, headerValues, isPipelined } from '../wire/index.js';
import { type Case, whenWords } from './case.js';

/** What an answer says of its case: the oracle's word, with what HTTP allows the circumstances to change. */
export function verdictOf(tried: Case, exchange: Exchange, { protocol, subject }: Trial): Verdict {
  const { state, causes } = tried;
  // The first of two requests is the control: where it is not answered as usual, they were not told apart.
  if (isPipelined(exchange.request) && exchange.ahead !== undefined && !isAsUsual(exchange.ahead, protocol))
    return { kind: 'open', why: 'the server gave the same answer as for the previous request' };
  const { answer, request } = exchange;
  const { oracle } = subject;
  // A login brings a token; a resource instead was opened by the expired token, unless another login gave it out again.
  const isServed = answer !== undefined && grantOf(answer, protocol) === 'served' && oracle.holdsServed(answer);
  if (state.moment === 'expired' && state.about === 'login' && isServed && !oracle.bringsSharedToken(request))
    return {
      kind: 'fails',
      expected: `${state.words} brings a token, and no resource`,
      actual: inWords(exchange, protocol),
      given: 'resource',
      row: 'expiry.refused-after',
    };
  return judge(state, state.words, exchange, {
    protocol,
    when: whenWords(tried),
    challengeStatus: subject.facts.challengeStatus,
    allowances: causes.flatMap(({ circumstance }) => circumstance.allows ?? []),
  });
}

/** Whether a request with a token was served, or one without was refused. */
function isAsUsual({ request, answer }: Exchange, protocol: Protocol): boolean {
  const hasToken = headerValues(request, protocol.headers.token).length > 0;
  return answer !== undefined && (grantOf(answer, protocol) !== 'nothing') === hasToken;
}
