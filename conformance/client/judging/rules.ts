import { headerValues } from '../../wire/index.js';
import { type Act, bringsLiveToken, isLogin, secretsOf, type Traffic, wholeText } from '../traffic/index.js';
import { credentialsShape, isBare, isBasic, readCredentials, wrongPair } from './credentials.js';
import { type Ruling, untested, type Violation } from './ruling.js';

/** A row that is judged on any traffic, also of a client that nobody drives. */
export interface Rule {
  readonly row: string;
  /** A row that a violation of this one always violates, too: one cause, one row. */
  readonly hides?: string;
  /** It is violated by what was not sent, so that nothing may be missing from the traffic. */
  readonly needsAll?: true;
  /** Traffic shows that it is violated, and never that it holds. Scenarios judge it by themselves. */
  readonly tellsOnly?: true;
  judge(traffic: Traffic): Ruling;
}

/** A rule that looks at one request at a time: which ones, and what is wrong with one. */
function perRequest(
  row: string,
  applies: (act: Act, traffic: Traffic) => boolean,
  wrong: (act: Act, traffic: Traffic) => readonly [expected: string, actual: string] | undefined,
): Rule {
  return {
    row,
    judge(traffic) {
      const looked = traffic.acts.filter((act) => applies(act, traffic));
      const violations = looked.flatMap((act): Violation[] => {
        const [expected, actual] = wrong(act, traffic) ?? [];
        return expected === undefined || actual === undefined ? [] : [{ expected, actual, at: act.logged }];
      });
      return { tried: looked.length, violations };
    },
  };
}

/** A CORS preflight is the browser's, and carries nothing. */
const isPreflight = ({ logged: { received } }: Act) =>
  received.method === 'OPTIONS' && headerValues(received, 'Access-Control-Request-Method').length > 0;

const bare = (value: string) => value.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * Whether a value can be held against what the service gave. Who is watched may have logged in before, so that only what is like a
 * value that was seen, with something changed, added or left out, is an altered one.
 */
function isComparable(value: string, given: readonly string[], { user }: Traffic): boolean {
  const here = bare(value);
  return user !== undefined || given.map(bare).some((there) => here.includes(there) || (here.length >= 8 && there.includes(here)));
}

const tokenIsSeen = ({ token = '', givenToken }: Act, traffic: Traffic) =>
  givenToken !== undefined ||
  isComparable(
    token,
    traffic.tokens.map(({ value }) => value),
    traffic,
  );
const nonceIsSeen = ({ nonce = '', givenNonce }: Act, traffic: Traffic) =>
  givenNonce !== undefined || isComparable(nonce, traffic.nonces, traffic);

/** The requests with a nonce or token of which nobody saw where it comes from. */
export function ofUnknownOrigin(traffic: Traffic): Act[] {
  return traffic.acts.filter(
    (act) => (act.token !== undefined && !tokenIsSeen(act, traffic)) || (act.nonce !== undefined && !nonceIsSeen(act, traffic)),
  );
}

/** Credentials that can be read, and are other ones. Where the paraphrase of a scenario is special, its row tells them. */
export function pairRule(row: string): Rule {
  return perRequest(
    row,
    (act, told) => told.user !== undefined && isBasic(act, told) && readCredentials(act, told).flaw === undefined,
    (act, told) => {
      const actual = wrongPair(act, told);
      return actual === undefined ? undefined : [credentialsShape(told), actual];
    },
  );
}

/** Whether a token had come that is newer than the one that the request carries. */
const hadNewer = ({ givenToken, logged }: Act, { tokens }: Traffic) =>
  tokens.some(({ order }) => order > (givenToken?.order ?? 0) && order < logged.arrived);

/** The row that tells wrong credentials, unless a scenario names another. */
export const credentialsRow = 'client.credentials';

export const rules: readonly Rule[] = [
  perRequest(
    'client.nonce-with-credentials',
    // Beside other requests nobody knows which challenge bare credentials answer. What a service does not give nobody can send.
    (act, told) =>
      (!bringsLiveToken(act) && isLogin(act)) ||
      (act.nonce !== undefined && act.token === undefined) ||
      (isBare(act, told) && act.asked && act.alone && act.wasGivenNonce),
    (act) =>
      isLogin(act)
        ? undefined
        : ['nonce and credentials in one request', act.nonce === undefined ? 'credentials without a nonce' : 'a nonce without credentials'],
  ),
  perRequest(
    'client.nonce-as-received',
    (act, traffic) => act.nonce !== undefined && !bringsLiveToken(act) && nonceIsSeen(act, traffic),
    ({ nonce = '', givenNonce }) =>
      givenNonce === undefined
        ? ['a nonce that this service gave, as it was given', `${JSON.stringify(nonce)}, which it did not give`]
        : undefined,
  ),
  // Credentials in a form that nobody can read.
  perRequest(
    credentialsRow,
    (act, told) => isBasic(act, told) || isLogin(act),
    (act, told) => {
      const { flaw } = readCredentials(act, told);
      return flaw === undefined ? undefined : [credentialsShape(told), flaw];
    },
  ),
  {
    row: 'client.link-secrets',
    tellsOnly: true,
    /** The same user may log in at other services, too. */
    judge({ requests, tokens }) {
      const { in: find } = secretsOf([], tokens);
      const told = requests.filter((each) => each.at === 'elsewhere' && find(wholeText(each)) !== undefined);
      const violated = { expected: 'another origin is told no secret', actual: 'it was sent the token' };
      return { tried: told.length, violations: told.map((at) => ({ ...violated, at })) };
    },
  },
  {
    needsAll: true,
    ...perRequest(
      'client.waits-for-challenge',
      (act) => act.token === undefined && !act.asked,
      (act, told) => (isBare(act, told) ? ['no credentials before a challenge', 'credentials that nobody had asked for'] : undefined),
    ),
  },
  perRequest(
    'client.login-repeats-request',
    // One that was used before is wrong at any address.
    (act) => isLogin(act) && act.givenNonce !== undefined && !act.nonceWasSpent && !bringsLiveToken(act),
    ({ logged, givenNonce }) => {
      // A query that a client adds to some requests is its own affair.
      const [there, here] = [givenNonce?.by.received.target, logged.received.target].map((target) => target?.split('?')[0]);
      return there === here ? undefined : [`a login at ${there}, whose challenge gave the nonce`, `a login at ${here}`];
    },
  ),
  perRequest(
    'client.nonce-used-once',
    (act) => act.givenNonce !== undefined && !bringsLiveToken(act),
    ({ nonceWasSpent }) =>
      nonceWasSpent ? ['a nonce that has not opened yet', 'the nonce of a login that was granted before'] : undefined,
  ),
  {
    row: 'client.token-sent',
    // A client that never sends its token in the header does not use it again either.
    hides: 'client.token-reused',
    needsAll: true,
    /** After an exchange some request brings a token, whichever. */
    judge({ acts, ended, protocol }) {
      const exchanges = acts.filter(({ became }) => became === 'exchange');
      const [first] = exchanges;
      if (first === undefined) return untested();
      const later = acts.filter(({ logged }) => logged.arrived > (first.logged.answered ?? 0));
      if (later.some(({ token }) => token !== undefined)) return { tried: exchanges.length, violations: [] };
      if (!ended && later.length === 0) return untested();
      const actual = later.length === 0 ? 'nothing more was sent' : 'further requests without it';
      const expected = `a request with the token in ${protocol.headers.token}`;
      return { tried: 1, violations: [{ expected, actual, at: (later[0] ?? first).logged }] };
    },
  },
  perRequest(
    'client.token-as-received',
    (act, traffic) => act.token !== undefined && tokenIsSeen(act, traffic),
    ({ givenToken }) => (givenToken === undefined ? ['a token that this service gave, as it was given', 'another value'] : undefined),
  ),
  {
    needsAll: true,
    ...perRequest(
      'client.token-reused',
      // A login with a nonce that is still good was begun before the token came.
      (act) =>
        act.live !== undefined && act.alone && !isPreflight(act) && !(isLogin(act) && act.givenNonce !== undefined && !act.nonceWasSpent),
      ({ token }) => (token === undefined ? ['the token that was given before and lives', 'a request without it'] : undefined),
    ),
  },
  perRequest('client.token-alone', bringsLiveToken, ({ authorization, nonce }, { protocol: { headers } }) => {
    if (authorization === undefined && nonce === undefined) return undefined;
    const besides = [authorization === undefined ? '' : headers.authorization, nonce === undefined ? '' : headers.nonce];
    return ['the token alone', `the token with ${besides.filter((name) => name !== '').join(' and ')} beside it`];
  }),
  perRequest(
    'client.uses-new-token',
    // Begun when a newer token had come; a login may still carry the old one.
    (act, { tokens }) => {
      const had = tokens.filter(({ order }) => order < act.logged.arrived);
      return act.alone && act.givenToken !== undefined && !isLogin(act) && had.length > 1 && had.some(({ refused }) => refused);
    },
    (act, traffic) =>
      act.tokenWasRefused && hadNewer(act, traffic) ? ['the newer token', 'the token that was refused before'] : undefined,
  ),
  {
    tellsOnly: true,
    ...perRequest(
      'client.renews-token',
      (act, traffic) => act.tokenWasRefused && act.alone && !isLogin(act) && !hadNewer(act, traffic),
      ({ givenToken, logged }, { acts }) => {
        const before = acts.filter((each) => each.givenToken === givenToken && (each.logged.answered ?? Infinity) < logged.arrived);
        const refusals = before.filter(({ became }) => became === 'challenge').length;
        // Once more may be a request that was under way, or a try whether the refusal was a mistake.
        return refusals < 2 ? undefined : ['a login with the nonce of the refusal', `the token that had been refused ${refusals} times`];
      },
    ),
  },
  {
    row: 'client.url-secrets',
    judge({ requests, secrets }) {
      const violations = requests.flatMap((at) => {
        const places = { 'the address': at.received.target, Referer: headerValues(at.received, 'Referer').join(' ') };
        return Object.entries(places).flatMap(([place, text]): Violation[] => {
          const secret = secrets.in(text);
          const expected = 'no secret in addresses and in Referer';
          return secret === undefined ? [] : [{ expected, actual: `the ${secret} in ${place}`, at }];
        });
      });
      // Of a client without a login nobody knows a secret.
      return { tried: secrets.some ? requests.length : 0, violations };
    },
  },
];

/** What a client prints, only who drives it can see. */
export const outputRule: Rule = {
  row: 'client.output-secrets',
  judge({ output, secrets, acts }) {
    if (output === undefined) return untested('The output of the client cannot be seen.');
    const secret = secrets.in(output);
    if (secret !== undefined)
      return { tried: 1, violations: [{ expected: 'no secret in the output of the client', actual: `the ${secret} in it` }] };
    // A client that did nothing had nothing to print.
    return acts.length === 0
      ? untested('The client sent no request, so its output shows nothing.')
      : { tried: acts.length, violations: [] };
  },
};
