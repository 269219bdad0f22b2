import { isUtf8 } from 'node:buffer';
import { count } from '../../spec/index.js';
import { fromTarget, headerValues } from '../wire/index.js';
import { type Act, bringsLiveToken, isLogin, pathOf, type Traffic, wholeText } from './traffic.js';

interface Violation {
  readonly expected: string;
  readonly actual: string;
  readonly at?: Act | undefined;
  /** It may follow from another violation, and is not told where one was seen in the same scenario. */
  readonly mayFollow?: true | undefined;
}

/** What was seen of one row: how often it could have been violated, and where it was. */
export interface Ruling {
  readonly tried: number;
  readonly violations: readonly Violation[];
  /** Of a pass: what it rests upon, where the number of requests does not say it. */
  readonly restsOn?: string;
  readonly because?: string | undefined;
}

export const untested = (because?: string): Ruling => ({ tried: 0, violations: [], because });
export const failed = (expected: string, actual: string, at?: Act, mayFollow?: true): Ruling => ({
  tried: 1,
  violations: [{ expected, actual, at, mayFollow }],
});

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

/** What the rules say; of one that a violated rule hides nothing is said. */
export function judgeTraffic(judged: readonly Rule[], traffic: Traffic): (Ruling & { readonly row: string })[] {
  const results = judged.map((rule) => ({ row: rule.row, hides: rule.hides, ...rule.judge(traffic) }));
  const hidden = new Set(results.filter(({ violations }) => violations.length > 0).map(({ hides }) => hides));
  return results.filter(({ row }) => !hidden.has(row));
}

type Of<T> = (act: Act, traffic: Traffic) => T;

/** A rule that looks at one request at a time, at the service or everywhere: which ones, what is expected of them, and what is wrong with one. */
function perRequest(
  row: string,
  applies: Of<boolean>,
  expected: string | Of<string>,
  wrong: Of<string | false | undefined | readonly string[]>,
  { everywhere, ...more }: Pick<Rule, 'needsAll' | 'tellsOnly'> & { readonly everywhere?: true } = {},
): Rule {
  return {
    ...{ row, ...more },
    judge(traffic) {
      const looked = (everywhere ? traffic.log.requests : traffic.acts).flatMap((act) => {
        if (!applies(act, traffic)) return [];
        const actuals = [wrong(act, traffic) || []].flat();
        return [actuals.map((actual) => ({ expected: typeof expected === 'string' ? expected : expected(act, traffic), actual, at: act }))];
      });
      return { tried: looked.length, violations: looked.flat() };
    },
  };
}

const isBasic: Of<boolean> = ({ authorization = '' }, { protocol }) =>
  authorization.split(/\s/)[0]?.toLowerCase() === protocol.challenge.scheme.toLowerCase();

/** Credentials by themselves. Where a challenge waits they answer it; otherwise the client sends them unasked. */
const isBare: Of<boolean> = (act, traffic) => isBasic(act, traffic) && act.nonce === undefined && act.token === undefined;

const credentialsShape: Of<string> = (_, { protocol }) => `${protocol.challenge.scheme} and base64 of id, colon and paraphrase`;

const readCredentials: Of<{ readonly octets: Buffer; readonly text: string; readonly flaw?: string }> = (act, traffic) => {
  const { scheme } = traffic.protocol.challenge;
  const base64 = (act.authorization ?? '').slice(scheme.length).trim();
  const octets = Buffer.from(base64, 'base64');
  const text = octets.toString(isUtf8(octets) ? 'utf8' : 'latin1');
  if (!isBasic(act, traffic)) return { octets, text, flaw: `an Authorization without the scheme ${scheme}` };
  if (octets.toString('base64') !== base64)
    return { octets, text, flaw: `${count(base64.length, 'character')} that are no base64 in the standard alphabet with its padding` };
  return text.includes(':') ? { octets, text } : { octets, text, flaw: 'base64 of a text without a colon' };
};

/** Credentials that can be read, and are other ones. Where the paraphrase of a scenario is special, its row tells them. */
export const pairRule = (row = 'client.credentials'): Rule =>
  perRequest(
    row,
    (act, traffic) => traffic.user !== undefined && isBasic(act, traffic) && readCredentials(act, traffic).flaw === undefined,
    credentialsShape,
    // In words that do not repeat them.
    (act, traffic) => {
      const { octets, text } = readCredentials(act, traffic);
      const { id, paraphrase = '' } = traffic.user ?? {};
      if (!isUtf8(octets)) return 'a paraphrase that is not encoded in UTF-8';
      if (text === `${id}:${paraphrase}`) return undefined;
      const colon = text.indexOf(':');
      if (text.slice(0, colon) !== String(id)) return 'another text before the first colon than the id';
      return text.slice(colon + 1).trim() === paraphrase.trim()
        ? 'a paraphrase with blanks or a line feed around it that are not its own'
        : 'another paraphrase than the one that the client was given';
    },
  );

/** A CORS preflight is the browser's, and carries nothing. */
const isPreflight = ({ request }: Act) => request.method === 'OPTIONS' && headerValues(request, 'Access-Control-Request-Method').length > 0;

/**
 * Whether a value can be held against what the service gave. Who is watched may have logged in before, so that only what is like a
 * value that was seen, with something changed, added or left out, is an altered one.
 */
const tokenIsSeen: Of<boolean> = ({ token = '', givenToken }, { user, isLikeToken }) =>
  givenToken !== undefined || user !== undefined || isLikeToken(token);
const nonceIsSeen: Of<boolean> = ({ nonce = '', givenNonce }, { user, isLikeNonce }) =>
  givenNonce !== undefined || user !== undefined || isLikeNonce(nonce);

export function ofUnknownOrigin(traffic: Traffic): Act[] {
  return traffic.acts.filter(
    (act) => (act.token !== undefined && !tokenIsSeen(act, traffic)) || (act.nonce !== undefined && !nonceIsSeen(act, traffic)),
  );
}

const hadNewer: Of<boolean> = ({ givenToken, arrived }, { tokens }) =>
  tokens.some(({ order }) => order > (givenToken?.order ?? 0) && order < arrived);

/** A login with a nonce that is still good was begun before the token came. */
const couldBringToken = (act: Act) =>
  act.live !== undefined && act.alone && !isPreflight(act) && !(isLogin(act) && act.givenNonce !== undefined && !act.nonceWasSpent);

export const rules: readonly Rule[] = [
  perRequest(
    'client.nonce-with-credentials',
    // Beside other requests nobody knows which challenge bare credentials answer. What a service does not give nobody can send.
    (act, traffic) =>
      (!bringsLiveToken(act) && isLogin(act)) ||
      (act.nonce !== undefined && act.token === undefined) ||
      (isBare(act, traffic) && act.asked && act.alone && act.wasGivenNonce),
    'nonce and credentials in one request',
    (act) => !isLogin(act) && (act.nonce === undefined ? 'credentials without a nonce' : 'a nonce without credentials'),
  ),
  perRequest(
    'client.nonce-as-received',
    (act, traffic) => act.nonce !== undefined && !bringsLiveToken(act) && nonceIsSeen(act, traffic),
    'a nonce that this service gave, as it was given',
    ({ nonce = '', givenNonce }) => givenNonce === undefined && `${fromTarget(JSON.stringify(nonce))}, which it did not give`,
  ),
  // Credentials in a form that nobody can read.
  perRequest(
    'client.credentials',
    (act, traffic) => isBasic(act, traffic) || isLogin(act),
    credentialsShape,
    (act, traffic) => readCredentials(act, traffic).flaw,
  ),
  perRequest(
    'client.link-secrets',
    // The same user may log in at other services, too.
    (act, { givenSecrets }) => act.at === 'elsewhere' && givenSecrets.areSought() && givenSecrets.in(wholeText(act)) !== undefined,
    'another origin is told no secret',
    () => 'it was sent the token',
    { tellsOnly: true, everywhere: true },
  ),
  perRequest(
    'client.waits-for-challenge',
    (act) => act.token === undefined && !act.asked,
    'no credentials before a challenge',
    (act, traffic) => isBare(act, traffic) && 'credentials that nobody had asked for',
    { needsAll: true },
  ),
  perRequest(
    'client.login-repeats-request',
    // One that was used before is wrong at any address.
    (act) => isLogin(act) && act.givenNonce !== undefined && !act.nonceWasSpent && !bringsLiveToken(act),
    ({ givenNonce }) => `a login at ${givenNonce && fromTarget(pathOf(givenNonce.by))}, whose challenge gave the nonce`,
    (act) => act.givenNonce && pathOf(act.givenNonce.by) !== pathOf(act) && `a login at ${fromTarget(pathOf(act))}`,
  ),
  perRequest(
    'client.nonce-used-once',
    (act) => act.givenNonce !== undefined && !bringsLiveToken(act),
    'a nonce that has not opened yet',
    ({ nonceWasSpent }) => nonceWasSpent && 'the nonce of a login that was granted before',
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
      const later = acts.filter((act) => act.arrived > (first.answered ?? 0) && !isPreflight(act));
      if (later.some(({ token }) => token !== undefined)) return { tried: exchanges.length, violations: [] };
      // Others may log in beside it, a page that is loaded again must, and what is watched may end before the token is used.
      const isLoggingIn = (act: Act) => acts.some(({ givenNonce }) => givenNonce?.by === act);
      const without = ended ? later[0] : later.slice(0, -1).find((act) => couldBringToken(act) && !isLogin(act) && !isLoggingIn(act));
      if (!ended && without === undefined) return untested();
      const actual = without === undefined ? 'nothing more was sent' : 'further requests without it';
      return failed(`a request with the token in ${protocol.headers.token}`, actual, without ?? first);
    },
  },
  perRequest(
    'client.token-as-received',
    (act, traffic) => act.token !== undefined && tokenIsSeen(act, traffic),
    'a token that this service gave, as it was given',
    ({ givenToken }) => givenToken === undefined && 'another value',
  ),
  perRequest(
    'client.token-reused',
    couldBringToken,
    'the token that was given before and lives',
    ({ token }) => token === undefined && 'a request without it',
    { needsAll: true },
  ),
  perRequest('client.token-alone', bringsLiveToken, 'the token alone', ({ authorization, nonce }, { protocol: { headers } }) => {
    const besides = [authorization && headers.authorization, nonce && headers.nonce].filter((name) => name !== undefined);
    return besides.length > 0 && `the token with ${besides.join(' and ')} beside it`;
  }),
  perRequest(
    'client.uses-new-token',
    // Begun when a newer token had come; a login may still carry the old one.
    (act, { tokens }) => {
      const had = tokens.filter(({ order }) => order < act.arrived);
      return act.alone && act.givenToken !== undefined && !isLogin(act) && had.length > 1 && had.some(({ refused }) => refused);
    },
    'the newer token',
    (act, traffic) => act.tokenWasRefused && hadNewer(act, traffic) && 'the token that was refused before',
  ),
  perRequest(
    'client.renews-token',
    (act, traffic) => act.tokenWasRefused && act.alone && !isLogin(act) && !hadNewer(act, traffic),
    'a login with the nonce of the refusal',
    ({ givenToken, arrived }, { acts }) => {
      const before = acts.filter((each) => each.givenToken === givenToken && (each.answered ?? Infinity) < arrived);
      const refusals = before.filter(({ became }) => became === 'challenge').length;
      // Once more may be a request that was under way, or a try whether the refusal was a mistake.
      return refusals >= 2 && `the token that had been refused ${refusals} times`;
    },
    { tellsOnly: true },
  ),
  perRequest(
    'client.url-secrets',
    // Of a client without a login nobody knows a secret.
    (_, { secrets }) => secrets.areSought(),
    'no secret in addresses and in Referer',
    ({ target, request }, { secrets }) => {
      const places = { 'the address': secrets.in(target), Referer: secrets.in(headerValues(request, 'Referer').join(' ')) };
      return Object.entries(places).flatMap(([place, secret]) => (secret === undefined ? [] : `the ${secret} in ${place}`));
    },
    { everywhere: true },
  ),
];

/** What a client prints, only who drives it can see. */
export const outputRule: Rule = {
  row: 'client.output-secrets',
  judge({ output, secrets, acts }) {
    if (output === undefined) return untested('The output of the client cannot be seen.');
    const secret = secrets.in(output);
    if (secret !== undefined) return failed('no secret in the output of the client', `the ${secret} in it`);
    // A client that did nothing had nothing to print.
    return acts.length === 0
      ? untested('The client sent no request, so its output shows nothing.')
      : { tried: acts.length, violations: [] };
  },
};
