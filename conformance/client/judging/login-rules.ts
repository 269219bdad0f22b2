import { isUtf8 } from 'node:buffer';
import { spec } from '../../../spec/index.js';
import { type Act, bringsLiveToken, isLogin } from '../traffic/index.js';
import { type Context, type Rule, ruleOf } from './rule.js';

const { challenge } = spec.protocol;
const scheme = challenge.scheme.toLowerCase();
export const credentialsRow = 'client.credentials';
const expected = `${challenge.scheme} and base64 of id, colon and paraphrase`;

const isBasic = ({ authorization = '' }: Act) =>
  authorization
    .slice(0, scheme.length + 1)
    .trim()
    .toLowerCase() === scheme;

/** Credentials by themselves. Where a challenge waits they answer it; otherwise the client sends them unasked. */
const isBare = (act: Act) => isBasic(act) && act.nonce === undefined && act.token === undefined;

const together = ruleOf(
  'client.nonce-with-credentials',
  // Beside other requests nobody knows which challenge bare credentials answer.
  (act) =>
    (!bringsLiveToken(act) && isLogin(act)) ||
    (act.nonce !== undefined && act.token === undefined) ||
    (isBare(act) && act.asked && act.alone),
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
  (act) => act.token === undefined && !act.asked,
  (act) => (isBare(act) ? { expected: 'no credentials before a challenge', actual: 'credentials that nobody had asked for' } : undefined),
);

const repeats = ruleOf(
  'client.login-repeats-request',
  // One that was used before is wrong at any address.
  (act) => isLogin(act) && act.givenNonce !== undefined && !act.nonceWasSpent && !bringsLiveToken(act),
  ({ logged, givenNonce }) => {
    const [there, here] = [givenNonce?.by.received.target ?? '', logged.received.target];
    return there === here ? undefined : { expected: `a login at ${there}, whose challenge gave the nonce`, actual: `a login at ${here}` };
  },
);

const once = ruleOf(
  'client.nonce-used-once',
  (act) => act.givenNonce !== undefined && !bringsLiveToken(act),
  ({ nonceWasSpent }) =>
    nonceWasSpent ? { expected: 'a nonce that has not opened yet', actual: 'the nonce of a login that was granted before' } : undefined,
);

/** Credentials in a form that nobody can read. */
const form = ruleOf(
  credentialsRow,
  (act) => isBasic(act) || isLogin(act),
  (act) => {
    const actual = read(act).flaw;
    return actual === undefined ? undefined : { expected, actual };
  },
);

/** Credentials that can be read, and are other ones. Where the paraphrase of a scenario is special, its row tells them. */
export function pairRule(row: string): Rule {
  return ruleOf(
    row,
    (act, { user }) => user !== undefined && isBasic(act) && read(act).flaw === undefined,
    (act, { user }) => {
      const { octets, text } = read(act);
      if (text === `${user?.id}:${user?.paraphrase}` && isUtf8(octets)) return undefined;
      return { expected, actual: isUtf8(octets) ? otherText(text, user) : 'a paraphrase that is not encoded in UTF-8' };
    },
  );
}

function read(act: Act): { readonly octets: Buffer; readonly text: string; readonly flaw?: string } {
  const base64 = (act.authorization ?? '').slice(scheme.length).trim();
  const octets = Buffer.from(base64, 'base64');
  const text = octets.toString(isUtf8(octets) ? 'utf8' : 'latin1');
  if (!isBasic(act)) return { octets, text, flaw: `an Authorization without the scheme ${challenge.scheme}` };
  if (octets.toString('base64') !== base64)
    return { octets, text, flaw: `${base64.length} characters that are no base64 in the standard alphabet with its padding` };
  return text.includes(':') ? { octets, text } : { octets, text, flaw: 'base64 of a text without a colon' };
}

/** In words that do not repeat it. */
function otherText(text: string, user: Context['user']): string {
  const colon = text.indexOf(':');
  if (text.slice(0, colon) !== String(user?.id)) return 'another text before the first colon than the id';
  return text.slice(colon + 1).trim() === user?.paraphrase.trim()
    ? 'a paraphrase with blanks or a line feed around it that are not its own'
    : 'another paraphrase than the one that the client was given';
}

export const loginRules: readonly Rule[] = [together, asReceived, form, waits, repeats, once];
