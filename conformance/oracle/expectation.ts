import type { Protocol } from '../../spec/index.js';
import { isLimited } from '../expect/index.js';
import { type Because, seeing } from '../finding.js';
import { type Exchange, isHungUp, isPipelined } from '../wire/index.js';
import { grantElsewhere, grantOf, inWords } from './grants.js';

/** Whom an expectation is about: who asks, by what the request brings. Rows of the catalogue name the same words. */
export type About = 'stranger' | 'login' | 'wrong-login' | 'wrong-nonce' | 'valid-token' | 'expired-token' | 'unknown-token';

/** What the token of a request is; `unsure` is one near its end, or another letter case of one that was issued. */
export type TokenKind = 'none' | 'valid' | 'unsure' | 'over' | 'unknown';
/** What nonce and credentials of a request are together: `elsewhere` is right, with the nonce of a request with another address or method; `open` is what the text does not decide. */
export type LoginKind = 'none' | 'right' | 'elsewhere' | 'spelled scheme' | 'open' | Mistake;
/** What is wrong with a login. */
export type Mistake = 'no nonce' | 'no credentials' | 'nonce' | 'paraphrase' | 'id' | 'form' | 'spelled id' | 'spelled base64';

/** What an answer must be, by which row; or why the text leaves it open. */
export type Expectation =
  | {
      readonly must: 'granted' | 'refused' | 'challenged';
      readonly about: About;
      /** What must come of the login beside an ended token: a token that is given is due to the login. */
      readonly login?: Decided;
      /** The request in words, to stand before "is granted" or "is refused". */
      readonly what: string;
      readonly requirement: string;
    }
  /** `isOwedOften`: one of two peculiarities of a login may be the reason, each time. */
  | { readonly must: 'open'; readonly why: string; readonly isOwedOften?: true };

export type Decided = Exclude<Expectation, { must: 'open' }>;

const open = (why: string): Expectation => ({ must: 'open', why });

const wrongLogins: Readonly<Record<Mistake, readonly [requirement: string, what: string]>> = {
  'no nonce': ['exchange.nonce-needed', 'a request with credentials and no nonce'],
  'no credentials': ['exchange.credentials-needed', 'a request with a nonce and no credentials'],
  nonce: ['exchange.wrong-nonce-refused', 'a request with correct credentials and a nonce that was never issued'],
  paraphrase: ['exchange.wrong-paraphrase-refused', 'a request with a nonce and a wrong paraphrase'],
  id: ['exchange.unknown-user-refused', 'a request with a nonce and an unknown user id'],
  form: ['exchange.malformed-credentials-refused', 'a request with a nonce and malformed credentials'],
  'spelled id': ['exchange.id-spelling', 'a login whose id is another spelling of the same number'],
  'spelled base64': ['exchange.base64-spelling', 'a login whose base64 contains other characters'],
};

/** What a nonce that is not looked at explains, credentials that are not looked at do not. */
const askerOf = (mistake: Mistake): About => (mistake === 'nonce' || mistake === 'no nonce' ? 'wrong-nonce' : 'wrong-login');

/** The ways in which a valid token can be refused, told apart by what happened to it before. */
const validTokens = {
  first: ['token.sufficient', 'a valid token that was just issued'],
  again: ['token.reusable', 'a valid token that worked earlier'],
  old: ['expiry.valid-until', 'a token that has not expired'],
} as const;

/**
 * Rules 1 to 4 as a table: what is brought decides who asks and what must come. A valid token opens whatever stands beside it, an ended one
 * opens nothing; a fresh nonce with right credentials brings a token; everything else is refused.
 */
export function decide(token: TokenKind, login: LoginKind, history: keyof typeof validTokens = 'first'): Expectation {
  const granted = (about: About, [requirement, what]: readonly [string, string]) =>
    ({ must: 'granted', about, requirement, what }) as const;
  const refused = (about: About, [requirement, what]: readonly [string, string]) =>
    ({ must: 'refused', about, requirement, what }) as const;
  if (token === 'unsure') return open('the age or the letter case of the token leaves open whether it is valid');
  if (token === 'valid') {
    if (login === 'none') return granted('valid-token', validTokens[history]);
    return granted('valid-token', ['token.beside-other-credentials', 'a valid token beside other credentials']);
  }
  if (login === 'open') return open('the protocol does not say how this nonce or these credentials are answered');
  if (login === 'right' || login === 'elsewhere') {
    if (token !== 'none' && login === 'elsewhere')
      return { must: 'open', why: 'either the useless token or the other request of the nonce may be why', isOwedOften: true };
    if (token !== 'none')
      return granted('login', [
        'exchange.beside-stale-token',
        'a login with a fresh nonce and the right paraphrase, beside a useless token',
      ]);
    return granted(
      'login',
      login === 'right'
        ? ['exchange.status', 'a login with a fresh nonce and the right paraphrase']
        : ['exchange.nonce-of-another-request', 'a login with the right paraphrase and a fresh nonce of another address or method'],
    );
  }
  if (login === 'spelled scheme')
    return granted('login', ['exchange.scheme-case', 'a login whose scheme is written in another letter case']);
  if (token === 'over') {
    const ended = refused('expired-token', ['expiry.refused-after', 'an expired token']);
    return login === 'none' ? ended : { ...ended, login: refused(askerOf(login), wrongLogins[login]) };
  }
  if (login !== 'none') return refused(askerOf(login), wrongLogins[login]);
  if (token === 'unknown') return refused('unknown-token', ['token.unknown-refused', 'a token that was never issued']);
  return { must: 'challenged', about: 'stranger', requirement: 'challenge.status', what: 'a request without credentials' };
}

/** What HTTP allows a circumstance to change. Statuses that are not listed change nothing. */
export interface Allowance {
  /** For a request that must be granted: statuses that are no refusal. */
  readonly granted?: readonly number[];
  /** For a request without credentials: statuses, or any refusal, that may come instead of the challenge, and the row that tells of it. */
  readonly instead?: {
    readonly statuses: readonly number[] | 'any';
    readonly row: string;
    /** Only where the answer is like this. */
    readonly when?: (exchange: Exchange) => boolean;
  };
  /** A request without credentials may be refused in any way. */
  readonly anyRefusal?: true;
  /** Another service may be meant, which is not under the base URL: only a token, or a document of this one, is a grant. */
  readonly elsewhere?: true;
  /** The text does not say that this must be granted. A grant to a stranger is wrong all the same. */
  readonly grantIsOpen?: true;
}

/** What an answer says of what was expected. */
export type Verdict =
  | { readonly kind: 'holds' }
  | { readonly kind: 'open'; readonly why: string | Because }
  | {
      readonly kind: 'fails';
      readonly expected: string;
      readonly actual: string;
      /** What was given to somebody who must be refused. */
      readonly given?: Given;
      readonly row?: string;
    };

export type Given = 'token' | 'resource';

const holds: Verdict = { kind: 'holds' };
/** How servers reject a body where they expect none (RFC 9110, sections 9.3.1 and 9.3.2), before the application sees the request. */
const rejectsBody = new Set([400, 411, 413, 501]);
const mayRejectBody = ({ method, body }: Exchange['request']) => body !== undefined && (method === 'GET' || method === 'HEAD');
/** How services say, besides by the challenge, that somebody may not. */
const refusals = new Set([403, 407]);
/** How a service says that it has no HEAD (RFC 9110 asks general-purpose servers for it, the protocol nobody); routers that know GET alone find nothing. */
export const withoutHead: readonly number[] = [404, 405, 501];

/** Holds an answer against what must come. `what` is the request in words; `challengeStatus` what this target gives to strangers. */
export function judge(
  { must, about, login }: Pick<Decided, 'must' | 'about' | 'login'>,
  what: string,
  exchange: Exchange,
  { protocol, challengeStatus, allowances = [], when = '' }: Judging,
): Verdict {
  const { answer } = exchange;
  const came = inWords(exchange, protocol);
  const anyRefusal = allowances.some((each) => each.anyRefusal === true);
  // A connection may end after any answer, whatever was written behind it (RFC 9112, section 9.3.2).
  const mayClose = anyRefusal || isPipelined(exchange.request) || mayRejectBody(exchange.request);
  if (answer === undefined && (!isHungUp(exchange) || mayClose)) return { kind: 'open', why: came };
  if (answer !== undefined && isLimited(answer)) return { kind: 'open', why: `the server limits requests or login attempts (${came})` };
  const grant =
    answer === undefined
      ? 'nothing'
      : allowances.some((each) => each.elsewhere === true)
        ? grantElsewhere(answer, protocol)
        : grantOf(answer, protocol);
  const granted = grant !== 'nothing';
  const status = answer?.status ?? 0;
  if (!granted && mayRejectBody(exchange.request) && rejectsBody.has(status))
    return must === 'granted' ? { kind: 'open', why: came } : holds;

  if (must === 'granted') {
    if (granted) return holds;
    if (allowances.some((each) => each.grantIsOpen === true)) return { kind: 'open', why: came };
    if (allowances.some((each) => each.granted?.includes(status) === true)) return holds;
    // Where a circumstance may lead to errors of its own, only what looks like a refusal is one.
    const isChallenge = status === challengeStatus || status === protocol.challenge.status;
    const isRefusal = isChallenge || refusals.has(status) || (status >= 300 && status < 400);
    if (allowances.length > 0 && !isRefusal) return { kind: 'open', why: came };
    return { kind: 'fails', expected: `${what} is ${about === 'login' ? 'accepted' : 'served'}${when}`, actual: came };
  }
  if (granted) {
    if (exchange.request.method === 'HEAD' && status === challengeStatus)
      return { kind: 'open', why: seeing('without its body a challenge cannot be told from a resource here', ['challenge.status']) };
    return {
      kind: 'fails',
      expected: `${what} is refused${when}, with no token and no resource`,
      actual: came,
      given: grant === 'token' ? 'token' : 'resource',
      ...(grant === 'token' && login !== undefined ? { row: login.requirement } : {}),
    };
  }
  if (must === 'refused' || anyRefusal || status === challengeStatus) return holds;
  const isInstead = ({ statuses, when }: NonNullable<Allowance['instead']>) =>
    (statuses === 'any' || statuses.includes(status)) && (when?.(exchange) ?? true);
  const instead = allowances.flatMap((each) => each.instead ?? []).find(isInstead);
  const expected = `${what} gets the challenge (${challengeStatus})${when}`;
  return { kind: 'fails', expected, actual: came, ...(instead === undefined ? {} : { row: instead.row }) };
}

/** What an answer is judged by besides the expectation. */
export interface Judging {
  readonly protocol: Protocol;
  readonly challengeStatus: number | undefined;
  readonly allowances?: readonly Allowance[];
  /** The circumstances in words, as the end of a sentence. */
  readonly when?: string;
}
