import { count, spec } from '../../../spec/index.js';
import { headerValues } from '../../wire/index.js';
import { goesTo, redirectTo, withLogin, withToken } from '../stage/index.js';
import { type LoggedRequest, secretIn, wholeText } from '../traffic/index.js';
import { passed, untested } from './opinions.js';
import type { Judge, Opinion, Scenario, Seen } from './scenario.js';

const { nonce, token, authorization } = spec.protocol.headers;
const redirects = [302, 307];

/** The first of these requests that brings a secret, or a header made for secrets. */
function told(requests: readonly LoggedRequest[], seen: Seen): Opinion | undefined {
  for (const each of requests) {
    const named = [token, authorization, nonce].find((name) => headerValues(each.received, name).some((value) => value !== ''));
    const secret = secretIn(wholeText(each), seen.secrets)?.name;
    if (named === undefined && secret === undefined) continue;
    const what = named === undefined ? `the ${secret}` : `the header ${named}`;
    return { outcome: 'fail', expected: 'another origin is told no secret', actual: `it was sent ${what}`, at: each };
  }
  return undefined;
}

const kept = (elsewhere: readonly LoggedRequest[], how: string) =>
  passed(elsewhere.length === 0 ? `${how} was not followed` : `${count(elsewhere.length, 'request')} to another origin without a secret`);

const redirectTakesNothing: Judge = (seen) => {
  if (!seen.acts.some(({ logged }) => redirects.includes(logged.answer?.status ?? 0)))
    return untested('The client did not come to the redirect.');
  return told(seen.elsewhere, seen) ?? kept(seen.elsewhere, 'the redirect');
};

/** What came before the other origin had challenged is a matter of the redirect. */
const challengeIsNotAnswered: Judge = (seen) => {
  const [first] = seen.elsewhere;
  if (!seen.acts.some(({ logged }) => redirects.includes(logged.answer?.status ?? 0)))
    return untested('The client did not come to the redirect.');
  const later = seen.elsewhere.filter(({ arrived }) => arrived > (first?.answered ?? 0));
  return told(later, seen) ?? kept(seen.elsewhere, 'the redirect');
};

const linkTakesNothing: Judge = (seen) => {
  if (!seen.acts.some(({ became }) => became === 'served')) return untested('The client could not read the address before.');
  return told(seen.elsewhere, seen) ?? kept(seen.elsewhere, 'the address of another origin');
};

const read = { at: 'first' } as const;

/** A second origin, which must hear no secret. */
export const originScenarios: readonly Scenario[] = [
  ...([302, 307] as const).map(
    (status): Scenario => ({
      id: `redirect-${status}`,
      given: `A request with a token is answered with ${status} to another origin.`,
      service: {
        intercept: (received, { places }) =>
          withToken(received) && goesTo(received, places.second) ? redirectTo(status, places.elsewhere) : undefined,
      },
      steps: [read, { at: 'second' }],
      leavesOut: ['client.token-reused'],
      judges: { 'client.redirect-secrets': redirectTakesNothing },
    }),
  ),
  {
    id: 'redirect-of-login',
    given: 'A login is answered with 307 to another origin.',
    service: {
      intercept: (received, { places }) => (withLogin(received) ? redirectTo(307, places.elsewhere) : undefined),
      requestLimit: 24,
    },
    steps: [read],
    judges: { 'client.redirect-secrets': redirectTakesNothing },
  },
  {
    id: 'redirect-to-challenge',
    given: 'The first request is answered with 302 to another origin, which challenges.',
    service: {
      elsewhere: 'challenges',
      intercept: (received, { places }) => (withToken(received) || withLogin(received) ? undefined : redirectTo(302, places.elsewhere)),
      requestLimit: 24,
    },
    steps: [read],
    // The nonce of the other origin tells nothing to anybody.
    leavesOut: ['client.nonce-as-received', 'client.login-repeats-request'],
    judges: { 'client.redirect-login': challengeIsNotAnswered },
  },
  {
    id: 'link-elsewhere',
    given: 'The second address is of another origin.',
    service: {},
    steps: [read, { at: 'elsewhere' }],
    judges: { 'client.link-secrets': linkTakesNothing },
  },
  {
    id: 'link-to-challenge',
    given: 'The second address is of another origin, which challenges.',
    service: { elsewhere: 'challenges', requestLimit: 24 },
    steps: [read, { at: 'elsewhere' }],
    leavesOut: ['client.nonce-as-received', 'client.login-repeats-request'],
    judges: { 'client.link-secrets': linkTakesNothing },
  },
  {
    id: 'redirect-within',
    given: 'A request with a token is redirected within the origin.',
    service: {
      intercept: (received, { places }) =>
        withToken(received) && goesTo(received, places.first) ? redirectTo(302, places.second) : undefined,
    },
    steps: [read],
    leavesOut: ['client.token-reused'],
    judges: {},
    observes: {
      'client.redirects'({ acts, site }) {
        if (!acts.some(({ logged }) => redirects.includes(logged.answer?.status ?? 0))) return undefined;
        const followed = acts.find(({ logged }) => goesTo(logged.received, site.places.second));
        return followed === undefined ? 'no' : followed.token === undefined ? 'yes, without its token' : 'yes, with its token';
      },
    },
  },
];
