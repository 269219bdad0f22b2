import { count } from '../../spec/index.js';
import { fromTarget, headerValues } from '../wire/index.js';
import type { ReadRequest } from './options.js';
import { failed, type Ruling, untested } from './rules.js';
import { goesTo, type Site } from './scenarios.js';
import { type Act, isLogin, type Traffic, wholeText } from './traffic.js';

export interface Seen extends Traffic {
  readonly site: Site;
  /** Every request of the scenario that goes to the service was served. */
  readonly completed: boolean;
  /** What the client said in the end; unknown of one that says failure whatever happens. */
  readonly said: 'success' | 'failure' | 'unknown';
  readonly asked: readonly ReadRequest[];
}

type Judge = (seen: Seen) => Ruling;

const passed = (restsOn: string): Ruling => ({ tried: 1, violations: [], restsOn });
const mostWrongLogins = 3;
const mostLogins = 5;

/** Where a client that did not read everything came to its end. */
export function ending({ acts, log }: Traffic): string {
  if (log.overrun) return `the client had sent ${count(acts.length, 'request')} and went on`;
  const last = acts.at(-1);
  if (last === undefined) return 'the client sent nothing';
  const { request, target, answer } = last;
  const carrying = isLogin(last) ? 'nonce and credentials' : last.token !== undefined ? 'a token' : 'nothing of the protocol';
  const came = answer === undefined ? 'it was not answered' : `${answer.status} came`;
  return `the last that the client sent was ${request.method} ${fromTarget(target)} with ${carrying}, and ${came}`;
}

/** Everything is read, and the client says so. */
const understands: Judge = (seen) => {
  const { completed, said, acts } = seen;
  if (completed && said !== 'failure') return passed('every address was read');
  const actual = completed ? 'every address was answered with its resource, and the client said that it failed' : ending(seen);
  return failed('the client logs in, reads every address and says so', actual, acts.at(-1), true);
};

/** The rows of services that a client must understand, each in a scenario that is made for it. */
const understood = [
  ...['credentials', 'credentials-with-colons', 'utf8', 'concurrent', 'header-names', 'header-blanks'],
  ...['challenge-body', 'challenge-schemes', 'unknown-parts', 'other-services'],
];

const tooMany = (logins: readonly Act[], expected: string) => failed(expected, `${logins.length} logins for one read`, logins.at(-1));

const elsewhere = ({ log }: Seen) => log.requests.filter(({ at }) => at === 'elsewhere');

const wasRedirected = ({ acts }: Seen) => acts.some(({ answer }) => [302, 307].includes(answer?.status ?? 0));

/** Of these requests to another origin, none may bring a secret, or a header made for secrets. */
function tellsNothing(requests: readonly Act[], seen: Seen): Ruling {
  const { nonce, token, authorization } = seen.protocol.headers;
  for (const each of requests) {
    const named = [token, authorization, nonce].find((name) => headerValues(each.request, name).some((value) => value !== ''));
    const secret = seen.secrets.in(wholeText(each));
    if (named === undefined && secret === undefined) continue;
    return failed('another origin is told no secret', `it was sent ${named === undefined ? `the ${secret}` : `the header ${named}`}`, each);
  }
  const all = elsewhere(seen).length;
  return passed(all === 0 ? 'the redirect was not followed' : `${count(all, 'request')} to another origin without a secret`);
}

const method = 'POST';
const isPost = ({ request }: Act) => request.method === method;

/** What was sent after the request had been challenged, with a token that was not refused; undefined: no challenge. */
function repeated({ acts }: Seen): Act[] | undefined {
  const first = acts.findIndex((act) => act.became === 'challenge' && isPost(act));
  const granted = acts.slice(first + 1).filter(({ givenToken, became }) => givenToken !== undefined && became !== 'challenge');
  return first < 0 ? undefined : granted;
}

/** What judges a row in the scenarios that name it. Rows that are not here are judged on all traffic. */
export const judges: Readonly<Record<string, Judge>> = {
  ...Object.fromEntries(understood.map((row) => [`client.${row}`, understands])),
  'client.nonce-with-credentials'({ acts }) {
    const challenged = acts.find(({ became }) => became === 'challenge');
    if (challenged === undefined) return untested('The client was not challenged.');
    if (acts.some((act) => act.nonce !== undefined || act.authorization !== undefined)) return passed('a challenge that was answered');
    const expected = 'the client answers the challenge with nonce and credentials';
    return failed(expected, 'it was challenged and did not log in', challenged);
  },
  'client.token-for-all-addresses'({ acts, site }) {
    const isFirst = (act: Act) => goesTo(act, site.first);
    const others = acts.filter((act) => !isFirst(act) && act.live !== undefined);
    const [one, another] = acts.filter((act) => act.became === 'served' && isFirst(act) && act.token !== undefined);
    if (another === undefined || one?.token !== another.token) return untested('The client does not use a token twice at one address.');
    if (others.length === 0) return untested('The client did not come to the other addresses.');
    const without = others.find(({ token }) => token === undefined);
    if (without === undefined) return passed('a token used at three addresses');
    const expected = 'the token of the first address is used at the others, too';
    return failed(expected, 'the client asked another address without it', without);
  },
  'client.renews-token'(seen) {
    const refused = seen.acts.filter(({ became, givenToken }) => became === 'challenge' && givenToken !== undefined);
    if (refused.length === 0) return untested('The client sent no token that had expired.');
    const ruling = understands(seen);
    if (ruling.violations.length === 0) return passed(`${count(refused.length, 'token')} that had expired`);
    const expected = 'the client logs in again and reads every address';
    return { ...ruling, violations: ruling.violations.map((each) => ({ ...each, expected })) };
  },
  'client.gives-up-login'({ acts }) {
    const logins = acts.filter(({ authorization }) => authorization !== undefined);
    if (logins.length === 0) return untested('The client did not try to log in.');
    if (logins.length <= mostWrongLogins) return passed(count(logins.length, 'refused login'));
    return tooMany(logins, `at most ${mostWrongLogins} logins with credentials that are refused`);
  },
  'client.gives-up-tokens'({ acts }) {
    const logins = acts.filter(({ became }) => became === 'exchange');
    if (!acts.some(({ givenToken }) => givenToken?.refused === true)) return untested('The client sent no token that was refused.');
    if (logins.length <= mostLogins) return passed(count(logins.length, 'token that was refused', 'tokens that were refused'));
    return tooMany(logins, `at most ${mostLogins} logins when every token is refused`);
  },
  'client.tells-success'({ completed, said, acts }) {
    if (!completed) return untested('The client could not read the address.');
    if (said === 'success') return passed('an address that was read');
    const actual = 'it was answered with the resource, and said that it failed';
    return failed('the client says that it read the address', actual, acts.at(-1));
  },
  'client.tells-failure'({ acts, completed, log, said }) {
    if (acts.length === 0 || completed) return untested('The client could read everything.');
    if (log.overrun) return untested('The client did not end by itself.');
    if (said === 'unknown') return untested('The client says that it failed also when it did not.');
    if (said === 'failure') return passed('a read that was refused or not found');
    const last = acts.at(-1);
    const actual = `the last answer was ${last?.answer?.status ?? 'none'}, and the client said that all is well`;
    return failed('the client says that it could not read everything', actual, last);
  },
  /** After an error that is no refusal nothing is sent without the token. */
  'client.other-errors'({ acts }) {
    const error = acts.findIndex(({ became, token }) => became === 'other' && token !== undefined);
    if (error < 0) return untested('The client did not come to the error.');
    const login = acts.slice(error + 1).find((act) => isLogin(act) || act.token === undefined);
    const status = acts[error]?.answer?.status;
    if (login === undefined) return passed(`no login after ${status}`);
    return failed(`no further login after ${status} to a valid token`, 'the client began to log in again', login);
  },
  'client.redirect-secrets': (seen) =>
    wasRedirected(seen) ? tellsNothing(elsewhere(seen), seen) : untested('The client did not come to the redirect.'),
  /** What came before the other origin had challenged is a matter of the redirect. */
  'client.redirect-login'(seen) {
    if (!wasRedirected(seen)) return untested('The client did not come to the redirect.');
    const [first] = elsewhere(seen);
    const later = elsewhere(seen).filter(({ arrived }) => arrived > (first?.answered ?? 0));
    return tellsNothing(later, seen);
  },
  'client.link-secrets'(seen) {
    if (!seen.acts.some(({ became }) => became === 'served')) return untested('The client could not read the address before.');
    const there = elsewhere(seen);
    return there.length === 0 ? untested('The client did not open the address of another origin.') : tellsNothing(there, seen);
  },
  /** The first request is read with the token at its whole address; so is its login, where that address was challenged; and no header of its own is lost. */
  'client.login-repeats-request'({ acts, asked: [request = { url: '' }] }) {
    const isWhole = (act: Act) => goesTo(act, request.url);
    const withToken = acts.filter(({ givenToken }) => givenToken !== undefined);
    const { pathname, search } = new URL(request.url);
    const expected = `the request that was challenged is repeated at ${pathname}${search}`;
    const login = acts.find((act) => isLogin(act) && act.givenNonce !== undefined && isWhole(act.givenNonce.by) && !isWhole(act));
    if (login !== undefined) return failed(expected, `a login at ${fromTarget(login.target)}`, login);
    const [again] = withToken.filter(isWhole);
    const last = withToken.at(-1);
    if (last === undefined) return untested('The client sent no token.');
    if (again === undefined) return failed(expected, `the token was sent to ${fromTarget(last.target)}`, last, true);
    const challenged = acts.find((act) => act.became === 'challenge' && isWhole(act));
    // Those of a body go with the body, which has a row of its own.
    const lost = Object.keys(request.headers ?? {}).find((name) => {
      const [before = [], after = []] = [challenged, again].map((act) => act && headerValues(act.request, name));
      return !/^content-/i.test(name) && before.length > 0 && after.length === 0;
    });
    if (lost === undefined) return passed('a request that was repeated with its whole address');
    return failed(`the request that was challenged is repeated with its header ${lost}`, 'it was repeated without', again);
  },
  'client.method-repeated'(seen) {
    const granted = repeated(seen);
    if (granted === undefined) return untested(`No ${method} of the client was challenged.`);
    if (granted.some(isPost)) return passed(`a ${method} that was challenged`);
    const expected = `the ${method} that was challenged is repeated with the token`;
    const [first] = granted;
    if (first === undefined) return failed(expected, 'it was not repeated', undefined, true);
    return failed(expected, `it was repeated as ${first.request.method}`, first);
  },
  'client.body-repeated'(seen) {
    const again = repeated(seen)?.find(isPost);
    if (again === undefined) return untested(`The client did not repeat a ${method}.`);
    const [asked = '', came = ''] = [seen.asked.find(({ body }) => body !== undefined)?.body, again.request.body];
    const octets = (body: string) => count(Buffer.byteLength(body), 'octet');
    if (came === asked) return passed(`a body of ${octets(asked)}`);
    const actual = came === '' ? 'no body' : `${octets(came)}, other ones`;
    return failed(`the same ${octets(asked)}`, actual, again);
  },
};

/** What answers an open question in the scenarios that name its row; undefined where it does not show. */
export const observers: Readonly<Record<string, (seen: Seen) => string | undefined>> = {
  'client.shared-login'({ acts, completed }) {
    const logins = acts.filter(({ became }) => became === 'exchange').length;
    if (!completed || logins === 0) return undefined;
    return logins === 1 ? 'yes' : 'no, several log in';
  },
  'client.newer-token'({ acts }) {
    const uses = acts.filter(({ token, became }) => token !== undefined && became === 'served');
    return uses.length < 2 ? undefined : uses.some(({ givenToken }) => givenToken?.byExchange === false) ? 'yes' : 'no';
  },
  /** Only of a client that keeps its token does it show. */
  'client.own-clock'({ acts }) {
    const uses = acts.filter(({ became, token }) => became === 'served' && token !== undefined).map(({ token }) => token);
    if (new Set(uses).size === uses.length) return undefined;
    const first = acts.find(({ clockMs }) => clockMs > 0);
    return first === undefined ? undefined : first.token === undefined ? 'yes' : 'no, it waits for the refusal';
  },
  'client.login-again'({ acts }) {
    const logins = acts.filter(isLogin).length;
    return logins === 0 ? undefined : logins > 1 ? 'yes' : 'no';
  },
  'client.other-refusal'({ acts }) {
    const refusal = acts.findIndex(({ became, token }) => became === 'refusal' && token !== undefined);
    if (refusal < 0) return undefined;
    return acts.slice(refusal).some(({ became }) => became === 'exchange') ? 'yes' : 'no';
  },
  'client.redirects'(seen) {
    if (!wasRedirected(seen)) return undefined;
    const followed = seen.acts.find((act) => goesTo(act, seen.site.second));
    return followed === undefined ? 'no' : followed.token === undefined ? 'yes, without its token' : 'yes, with its token';
  },
};
