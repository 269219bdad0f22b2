import type { Protocol } from '../../spec/index.js';
import type { Allowance } from '../circumstances/index.js';
import { grantOf, inWords, isLimited } from '../ledger/index.js';
import type { Trial } from '../subject/index.js';
import { type Exchange, headerValues, isHungUp, isPipelined } from '../wire/index.js';
import { type Case, whenWords } from './case.js';

/** What an answer says of its case. */
export type Verdict =
  | { readonly kind: 'holds' }
  | { readonly kind: 'open'; readonly why: string }
  | { readonly kind: 'fails'; readonly expected: string; readonly actual: string; readonly row?: string };

const holds: Verdict = { kind: 'holds' };
/** How services say, besides by the challenge, that somebody may not. */
const refusals = new Set([403, 407]);

export function verdictOf(tried: Case, exchange: Exchange, { protocol, subject }: Trial): Verdict {
  const { state, causes } = tried;
  const { answer } = exchange;
  const came = inWords(exchange, protocol);
  const when = whenWords(tried);
  const allowances = causes.flatMap(({ circumstance }) => circumstance.allows ?? []);
  const anyRefusal = allowances.some((each) => each.anyRefusal === true);
  // A connection may end after any answer, whatever was written behind it (RFC 9112, section 9.3.2).
  const mayClose = anyRefusal || isPipelined(exchange.request);
  if (answer === undefined && (!isHungUp(exchange) || mayClose)) return { kind: 'open', why: came };
  if (answer !== undefined && isLimited(answer)) return { kind: 'open', why: `the target limits rates (${came})` };
  // The first of two requests is the control: where it is not answered as usual, they were not told apart.
  if (isPipelined(exchange.request) && exchange.ahead !== undefined && !isAsUsual(exchange.ahead, protocol))
    return { kind: 'open', why: 'it was not told from the request before it' };
  const granted = answer !== undefined && grantOf(answer, protocol) !== 'nothing';

  if (state.must === 'granted') {
    if (granted) return holds;
    if (allowances.some((each) => each.grantIsOpen === true)) return { kind: 'open', why: came };
    const status = answer?.status ?? 0;
    if (allowances.some((each) => each.granted?.includes(status) === true)) return holds;
    // Where a circumstance may lead to errors of its own, only what looks like a refusal is one.
    const isChallenge = status === subject.facts.challengeStatus || status === protocol.challenge.status;
    const isRefusal = isChallenge || refusals.has(status) || (status >= 300 && status < 400);
    if (allowances.length > 0 && !isRefusal) return { kind: 'open', why: came };
    return { kind: 'fails', expected: `${state.words} is honoured${when}`, actual: came };
  }
  if (granted) {
    const { challengeStatus = 0 } = subject.facts;
    if (exchange.request.method === 'HEAD' && answer.status === challengeStatus)
      return { kind: 'open', why: 'a challenge without its body looks like a resource here (see challenge.status)' };
    return { kind: 'fails', expected: `${state.words} is refused${when}, with no token and no resource`, actual: came };
  }
  if (state.must === 'refused' || anyRefusal || answer?.status === subject.facts.challengeStatus) return holds;
  const isInstead = ({ statuses, when: isMeant }: NonNullable<Allowance['instead']>) =>
    (statuses === 'any' || statuses.includes(answer?.status ?? 0)) && (isMeant?.(exchange) ?? true);
  const instead = allowances.flatMap((each) => each.instead ?? []).find(isInstead);
  const expected = `${state.words} gets the challenge (${subject.facts.challengeStatus})${when}`;
  return { kind: 'fails', expected, actual: came, ...(instead === undefined ? {} : { row: instead.row }) };
}

/** Whether a request with a token was served, or one without was refused. */
function isAsUsual({ request, answer }: Exchange, protocol: Protocol): boolean {
  const hasToken = headerValues(request, protocol.headers.token).length > 0;
  return answer !== undefined && (grantOf(answer, protocol) !== 'nothing') === hasToken;
}
