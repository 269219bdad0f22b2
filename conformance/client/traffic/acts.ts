import type { Protocol } from '../../../spec/index.js';
import { nonceOf, tokenOf } from '../../expect/index.js';
import { type Answer, headerValues } from '../../wire/index.js';
import type { LoggedRequest } from './log.js';

/** A nonce that the service gave. */
interface GivenNonce {
  readonly by: LoggedRequest;
  /** It opened already. */
  spent: boolean;
}

/** A token that the service gave. */
export interface GivenToken {
  readonly value: string;
  /** When the answer came that gave it, among all arrivals and answers. */
  readonly order: number;
  /** Step B gave it; another answer may give one, too. */
  readonly byExchange: boolean;
  readonly issuedAtMs: number;
  /** The same by the service's own Date. */
  readonly issuedOn: number;
  refused: boolean;
}

/** A request as the protocol reads it, with what was known when it arrived. */
export interface Act {
  readonly logged: LoggedRequest;
  /** What it carries, undefined where the header is not there or empty. */
  readonly nonce: string | undefined;
  readonly authorization: string | undefined;
  readonly token: string | undefined;
  /** The nonce it carries, where the service had given it. */
  readonly givenNonce: GivenNonce | undefined;
  readonly nonceWasSpent: boolean;
  /** The token it carries, where the service had given it. */
  readonly givenToken: GivenToken | undefined;
  readonly tokenWasRefused: boolean;
  /** The newest token, where it was neither refused nor near its end when the request arrived. */
  live: GivenToken | undefined;
  /** A challenge at this address had not been answered yet. */
  readonly asked: boolean;
  /** The last challenge at this address gave a nonce. */
  readonly wasGivenNonce: boolean;
  /** No other request was under way. */
  readonly alone: boolean;
  /** What came of it; undefined: no answer. */
  became?: 'challenge' | 'exchange' | 'served' | 'refusal' | 'other';
}

/** Of its life a token is surely live for so much; a client may renew it a little early. */
const surely = 0.9;
const refusals = [403, 419];

/** Reads what came to the service, in the order of arrival, and the tokens that it gave, in the order of issue. */
export function readActs(requests: readonly LoggedRequest[], protocol: Protocol): { acts: Act[]; tokens: GivenToken[]; nonces: string[] } {
  const { headers, challenge, token: rules } = protocol;
  const nonces = new Map<string, GivenNonce>();
  const tokens: GivenToken[] = [];
  const acts = new Map<LoggedRequest, Act>();
  /** Challenges that wait for an answer, by address. */
  const pending = new Map<string, number>();
  /** Addresses whose last challenge gave no nonce. */
  const withoutNonce = new Set<string>();
  const dateIn = (came: Answer) => Date.parse(headerValues(came, headers.date)[0] ?? '');
  let underWay = 0;

  const arrive = (each: LoggedRequest) => {
    const value = (name: string) => headerValues(each.received, name).join(', ') || undefined;
    const [nonce, token, authorization] = [value(headers.nonce), value(headers.token), value(headers.authorization)];
    const givenNonce = nonces.get(nonce ?? '');
    const givenToken = tokens.find((given) => given.value === token);
    const newest = tokens.at(-1);
    const isLive = newest !== undefined && !newest.refused && now(each) - newest.issuedAtMs < rules.lifetimeMs * surely;
    const { target } = each.received;
    const open = pending.get(target) ?? 0;
    if (authorization !== undefined || nonce !== undefined) pending.set(target, Math.max(0, open - 1));
    acts.set(each, {
      ...{ logged: each, nonce, authorization, token, givenNonce, givenToken },
      nonceWasSpent: givenNonce?.spent ?? false,
      tokenWasRefused: givenToken?.refused ?? false,
      live: isLive ? newest : undefined,
      asked: open > 0,
      wasGivenNonce: !withoutNonce.has(target),
      alone: underWay === 0,
    });
    underWay += 1;
  };

  const answer = (each: LoggedRequest) => {
    const act = acts.get(each) as Act;
    const { answer: came, answered: order = 0 } = each;
    if (came === undefined) return;
    const { status } = came;
    const [nonce, token] = [nonceOf(came, protocol), tokenOf(came, protocol)];
    const byExchange = isLogin(act) && token !== undefined && status < 300;
    if (nonce !== undefined) nonces.set(nonce, { by: each, spent: false });
    if (token !== undefined)
      tokens.push({ value: token, order, byExchange, issuedAtMs: now(each), issuedOn: dateIn(came), refused: false });
    // A clock that was moved shows in the answer.
    if (act.live !== undefined && dateIn(came) - act.live.issuedOn >= rules.lifetimeMs * surely) act.live = undefined;
    if (byExchange) act.became = 'exchange';
    else if (status === challenge.status) act.became = 'challenge';
    else if (status >= 200 && status < 300) act.became = 'served';
    else act.became = refusals.includes(status) ? 'refusal' : 'other';
    if (byExchange && act.givenNonce !== undefined) act.givenNonce.spent = true;
    if ((act.became === 'challenge' || act.became === 'refusal') && act.givenToken !== undefined) act.givenToken.refused = true;
    const { target } = each.received;
    if (act.became === 'challenge') {
      pending.set(target, (pending.get(target) ?? 0) + 1);
      if (nonce === undefined) withoutNonce.add(target);
      else withoutNonce.delete(target);
    }
    underWay -= 1;
  };

  const events = requests.flatMap((each) => [
    { at: each.arrived, take: () => arrive(each) },
    ...(each.answered === undefined ? [] : [{ at: each.answered, take: () => answer(each) }]),
  ]);
  for (const { take } of events.sort((one, other) => one.at - other.at)) take();
  return { acts: [...acts.values()], tokens, nonces: [...nonces.keys()] };
}

/** On the service's clock, which goes on by itself and is moved besides. */
function now({ clockMs, arrivedAtMs }: LoggedRequest): number {
  return clockMs + arrivedAtMs;
}

/** Carries the live token, so that whatever stands beside it is not needed. */
export function bringsLiveToken({ live, givenToken }: Act): boolean {
  return live !== undefined && givenToken === live;
}

/** Carries what a login has: a nonce and credentials. */
export function isLogin({ nonce, authorization }: Pick<Act, 'nonce' | 'authorization'>): boolean {
  return nonce !== undefined && authorization !== undefined;
}
