import { count } from '../../../spec/index.js';
import { asStranger, errorAnswer, goesTo, withToken } from '../stage/index.js';
import { isLogin } from '../traffic/index.js';
import { passed, tellsFailure, untested } from './opinions.js';
import type { Judge, Scenario, Seen } from './scenario.js';

const mostWrongLogins = 3;
const mostLogins = 5;

const givesUpLogin: Judge = ({ acts }) => {
  const logins = acts.filter(({ authorization }) => authorization !== undefined);
  if (logins.length === 0) return untested('The client did not try to log in.');
  if (logins.length <= mostWrongLogins) return passed(count(logins.length, 'refused login'));
  return tooMany(logins, `at most ${mostWrongLogins} logins with credentials that are refused`);
};

const givesUpTokens: Judge = ({ acts }) => {
  const logins = acts.filter(({ became }) => became === 'exchange');
  if (!acts.some(({ tokenWasRefused, givenToken }) => tokenWasRefused || givenToken?.refused === true))
    return untested('The client sent no token that was refused.');
  if (logins.length <= mostLogins) return passed(`${count(logins.length, 'token')} that were refused`);
  return tooMany(logins, `at most ${mostLogins} logins when every token is refused`);
};

function tooMany(logins: Seen['acts'], expected: string): ReturnType<Judge> {
  return { outcome: 'fail', expected, actual: `${logins.length} logins for one read`, at: (logins.at(-1) as Seen['acts'][number]).logged };
}

/** After an error that is no refusal nothing is sent without the token. */
const staysCalm: Judge = ({ acts }) => {
  const error = acts.findIndex(({ became, token }) => became === 'other' && token !== undefined);
  if (error < 0) return untested('The client did not come to the error.');
  const login = acts.slice(error + 1).find((act) => isLogin(act) || act.token === undefined);
  const status = acts[error]?.logged.answer?.status;
  if (login === undefined) return passed(`no login after ${status}`);
  return {
    outcome: 'fail',
    expected: `no further login after ${status} to a valid token`,
    actual: 'the client began to log in again',
    at: login.logged,
  };
};

const withCalm = { 'client.other-errors': staysCalm, 'client.tells-failure': tellsFailure };

/** What cannot succeed, and must end. */
export const givingUpScenarios: readonly Scenario[] = [
  {
    id: 'wrong-credentials',
    given: 'The credentials are refused with a new challenge, each time.',
    service: { wrongParaphrase: true, requestLimit: 16 },
    steps: [{ at: 'first' }],
    judges: { 'client.gives-up-login': givesUpLogin, 'client.tells-failure': tellsFailure },
    observes: {
      'client.login-again'({ acts }) {
        const logins = acts.filter(isLogin).length;
        return logins === 0 ? undefined : logins > 1 ? 'yes' : 'no';
      },
    },
  },
  {
    id: 'wrong-credentials-403',
    given: 'The credentials are refused with 403.',
    service: { wrongParaphrase: true, variants: ['wrong-credentials-403'], requestLimit: 16 },
    steps: [{ at: 'first' }],
    judges: { 'client.gives-up-login': givesUpLogin, 'client.tells-failure': tellsFailure },
  },
  {
    id: 'refused-tokens',
    given: 'Every login is granted, and every token is refused.',
    service: { intercept: (received) => (withToken(received) ? asStranger(received) : undefined), requestLimit: 30 },
    steps: [{ at: 'first' }],
    judges: { 'client.gives-up-tokens': givesUpTokens, 'client.tells-failure': tellsFailure },
  },
  {
    id: 'not-found',
    given: 'The second address does not exist.',
    service: { requestLimit: 24 },
    steps: [{ at: 'first' }, { at: 'missing' }],
    leavesOut: ['client.token-reused'],
    judges: withCalm,
  },
  {
    id: 'server-error',
    given: 'The second address is answered with 500.',
    service: {
      intercept: (received, { places }) =>
        withToken(received) && goesTo(received, places.second) ? errorAnswer(500, 'Internal Server Error') : undefined,
      requestLimit: 24,
    },
    steps: [{ at: 'first' }, { at: 'second' }],
    leavesOut: ['client.token-reused'],
    judges: withCalm,
  },
];
