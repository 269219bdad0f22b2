import { isUtf8 } from 'node:buffer';
import { spec } from '../../../spec/index.js';
import { type Act, bringsLiveToken, isLogin } from '../traffic/index.js';
import { type Context, type Rule, ruleOf } from './rule.js';

const { challenge } = spec.protocol;
const scheme = challenge.scheme.toLowerCase();

const isBasic = ({ authorization = '' }: Act) =>
  authorization
    .slice(0, scheme.length + 1)
    .trim()
    .toLowerCase() === scheme;

/** Credentials without a nonce that answer a challenge, and not those that a client sends unasked with every request. */
function answersWithoutNonce({ before, alone, heard, nonce, token }: Act): boolean {
  if (nonce !== undefined || token !== undefined || !alone || before?.became !== 'challenge') return false;
  return before.heard.received.target === heard.received.target;
}

const together = ruleOf(
  'client.nonce-with-credentials',
  (act) => !bringsLiveToken(act) && (isLogin(act) || act.nonce !== undefined || (isBasic(act) && answersWithoutNonce(act))),
  (act) => {
    if (isLogin(act)) return undefined;
    const expected = 'nonce and credentials in one request';
    return { expected, actual: act.nonce === undefined ? 'credentials without a nonce' : 'a nonce without credentials' };
  },
);

const asReceived = ruleOf(
  'client.nonce-as-received',
  (act) => act.nonce !== undefined && !bringsLiveToken(act),
  ({ nonce = '', givenNonce }) =>
    givenNonce === undefined
      ? { expected: 'a nonce that this service gave, as it was given', actual: `${JSON.stringify(nonce)}, which it did not give` }
      : undefined,
);

const waits = ruleOf(
  'client.waits-for-challenge',
  (act) => act.token === undefined && !answersWithoutNonce(act),
  (act) =>
    isBasic(act) && act.nonce === undefined
      ? { expected: 'no credentials before a challenge', actual: 'credentials that nobody had asked for' }
      : undefined,
);

const repeats = ruleOf(
  'client.login-repeats-request',
  (act) => isLogin(act) && act.givenNonce !== undefined && !bringsLiveToken(act),
  ({ heard, givenNonce }) => {
    const [there, here] = [givenNonce?.by.received.target ?? '', heard.received.target];
    return there === here ? undefined : { expected: `a login at ${there}, whose challenge gave the nonce`, actual: `a login at ${here}` };
  },
);

const once = ruleOf(
  'client.nonce-used-once',
  (act) => act.givenNonce !== undefined && !bringsLiveToken(act),
  ({ nonceWasSpent }) =>
    nonceWasSpent ? { expected: 'a nonce that has not opened yet', actual: 'the nonce of a login that was granted before' } : undefined,
);

/** The row of the credentials is another one where the paraphrase of a scenario is special. */
export function credentialsRule(row: string): Rule {
  return ruleOf(
    row,
    (act) => isBasic(act) || isLogin(act),
    (act, context) => {
      const actual = !isBasic(act)
        ? `an Authorization without the scheme ${challenge.scheme}`
        : flawOf((act.authorization ?? '').slice(scheme.length), context);
      return actual === undefined ? undefined : { expected: `${challenge.scheme} and base64 of id, colon and paraphrase`, actual };
    },
  );
}

/** What is wrong with credentials, in words that do not repeat them. */
function flawOf(given: string, { user }: Context): string | undefined {
  const base64 = given.trim();
  const octets = Buffer.from(base64, 'base64');
  if (octets.toString('base64') !== base64)
    return `${base64.length} characters that are no base64 in the standard alphabet with its padding`;
  const text = isUtf8(octets) ? octets.toString('utf8') : octets.toString('latin1');
  const colon = text.indexOf(':');
  if (colon < 0) return 'base64 of a text without a colon';
  if (user === undefined) return undefined;
  if (text.slice(0, colon) !== String(user.id)) return 'base64 with another text before the first colon than the id';
  const sent = text.slice(colon + 1);
  if (sent === user.paraphrase) return isUtf8(octets) ? undefined : 'a paraphrase that is not encoded in UTF-8';
  if (sent.trim() === user.paraphrase.trim()) return 'a paraphrase with blanks or a line feed around it that are not its own';
  return isUtf8(octets) ? 'another paraphrase than the one that the client was given' : 'a paraphrase that is not encoded in UTF-8';
}

export const loginRules: readonly Rule[] = [together, asReceived, waits, repeats, once];
