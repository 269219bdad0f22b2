import { spec } from '../../../spec/index.js';
import { headerValues } from '../../wire/index.js';
import { type Act, bringsLiveToken, isLogin, secretIn } from '../traffic/index.js';
import { type Rule, ruleOf } from './rule.js';

const { headers } = spec.protocol;

/** After an exchange some request brings a token, whichever. */
const sent: Rule = {
  row: 'client.token-sent',
  judge({ acts }, { ended }) {
    const exchanges = acts.filter(({ became }) => became === 'exchange');
    const first = exchanges[0];
    if (first === undefined) return { tried: 0, violations: [] };
    const later = acts.filter(({ logged }) => logged.arrived > (first.logged.answered ?? 0));
    if (later.some(({ token }) => token !== undefined)) return { tried: exchanges.length, violations: [] };
    if (!ended && later.length === 0) return { tried: 0, violations: [] };
    const actual = later.length === 0 ? 'nothing more was sent' : 'further requests without it';
    return { tried: 1, violations: [{ expected: `a request with the token in ${headers.token}`, actual, at: (later[0] ?? first).logged }] };
  },
};

const asReceived = ruleOf(
  'client.token-as-received',
  ({ token }) => token !== undefined,
  ({ givenToken }) =>
    givenToken === undefined ? { expected: 'a token that this service gave, as it was given', actual: 'another value' } : undefined,
);

/** A CORS preflight is the browser's, and carries nothing. */
const isPreflight = ({ logged: { received } }: Act) =>
  received.method === 'OPTIONS' && headerValues(received, 'Access-Control-Request-Method').length > 0;

/** A login with a nonce that is still good was begun before the token came. */
const reused = ruleOf(
  'client.token-reused',
  (act) =>
    act.live !== undefined && act.alone && !isPreflight(act) && !(isLogin(act) && act.givenNonce !== undefined && !act.nonceWasSpent),
  ({ token }) =>
    token === undefined ? { expected: 'the token that was given before and lives', actual: 'a request without it' } : undefined,
);

const alone = ruleOf('client.token-alone', bringsLiveToken, ({ authorization, nonce }) => {
  if (authorization === undefined && nonce === undefined) return undefined;
  const besides = [authorization === undefined ? '' : headers.authorization, nonce === undefined ? '' : headers.nonce];
  return { expected: 'the token alone', actual: `the token with ${besides.filter((name) => name !== '').join(' and ')} beside it` };
});

/** Begun when a newer token had come; a login may still carry the old one. */
const newest: Rule = {
  row: 'client.uses-new-token',
  judge({ acts, tokens }) {
    const after = acts.filter((act) => {
      const had = tokens.filter(({ order }) => order < act.logged.arrived);
      return act.alone && act.givenToken !== undefined && !isLogin(act) && had.length > 1 && had.some(({ refused }) => refused);
    });
    const wrong = after.filter((act) => act.tokenWasRefused && hadNewer(act, tokens));
    return {
      tried: after.length,
      violations: wrong.map(({ logged }) => ({ expected: 'the newer token', actual: 'the token that was refused before', at: logged })),
    };
  },
};

function hadNewer({ logged, givenToken }: Act, tokens: Parameters<Rule['judge']>[0]['tokens']): boolean {
  return tokens.some(({ order }) => order > (givenToken?.order ?? 0) && order < logged.arrived);
}

const addresses: Rule = {
  row: 'client.url-secrets',
  judge(_, { requests, secrets }) {
    const violations = requests.flatMap((each) => {
      const places = { 'the address': each.received.target, Referer: headerValues(each.received, 'Referer').join(' ') };
      return Object.entries(places).flatMap(([place, text]) => {
        const secret = secretIn(text, secrets);
        return secret === undefined
          ? []
          : [{ expected: 'no secret in addresses and in Referer', actual: `the ${secret.name} in ${place}`, at: each }];
      });
    });
    return { tried: requests.length, violations };
  },
};

export const tokenRules: readonly Rule[] = [sent, asReceived, reused, alone, newest, addresses];
