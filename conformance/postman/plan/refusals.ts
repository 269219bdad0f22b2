import { madeUp, type Protocol } from '../../../spec/index.js';
import { askForNonce, type Check, check, type Folder, folder, loginWith, type Row, row, type Value } from './row.js';

/** How near to the end of the lifetime a token is tried, before and after. */
const marginMs = 2000;
const margin = `${marginMs / 1000} s`;
const second = { of: 'token.second-exchange' };
/** Without an exchange that works there is no accepted control, and no wrong attempt is worth making. */
const needs = ['exchange.first'];

/** What must be refused. Each such request only remembers what came; the accepted control after it tells the verdict. */
export function refusalFolders(protocol: Protocol): Folder[] {
  const unknownToken = { madeUp: madeUp(protocol.exchange.tokenPattern) };
  const unknownNonce = { madeUp: madeUp(protocol.challenge.noncePattern) };
  const almost = (changed: 'almost' | 'cut' | 'longer') => ({ token: { ...second, changed } });
  const tokens: readonly [id: string, name: string, what: string, given: Partial<Row>][] = [
    ['unknown', 'A token that was never issued', 'that was never issued', { token: unknownToken, after: [second.of] }],
    ['changed', 'The token with its last character changed', 'with one character changed', almost('almost')],
    ['cut', 'The token without its last character', 'with one character cut', almost('cut')],
    ['longer', 'The token with one character more', 'with one character added', almost('longer')],
    [
      'elsewhere',
      'A token that was never issued, on the vocabulary',
      'that was never issued, on the vocabulary',
      { to: 'vocabulary', token: unknownToken, after: [second.of], needs: ['protection.vocabulary'] },
    ],
  ];
  return [
    folder('refused-tokens', 'T', 'Refusals: tokens', 'A token that was never issued, or is almost one that was, opens nothing.', [
      ...tokens.map(([id, name, , given]) => refused(`token.${id}`, name, given)),
      row('token.control', 'Control: the token as it was issued', {
        token: second,
        checks: tokens.map(([id, , what]) => verdict('token.unknown-refused', `refuses a token ${what}`, `token.${id}`)),
      }),
    ]),
    folder(
      'refused-halves',
      'X',
      'Refusals: half an exchange and wrong nonces',
      'Neither the nonce nor the credentials are enough alone, and a nonce must be one that was issued.',
      [
        askForNonce('half.challenge', 'Ask for a nonce', needs),
        refused('half.no-credentials', 'The nonce without credentials', { nonce: { of: 'half.challenge' }, needs }),
        refused('half.no-nonce', 'The credentials without a nonce', { credentials: 'right', needs }),
        withNonce('half.unknown-nonce', 'The credentials with a nonce that was never issued', unknownNonce),
        ...control('half.fresh', 'half.control', 'nonce and credentials together', [
          verdict('exchange.credentials-needed', 'refuses a nonce without credentials', 'half.no-credentials'),
          verdict('exchange.nonce-needed', 'refuses credentials without a nonce', 'half.no-nonce'),
          verdict('exchange.wrong-nonce-refused', 'refuses a nonce that was never issued', 'half.unknown-nonce'),
        ]),
        // No more than two in a row: a target may count wrong nonces, too, and lock the account.
        withNonce('half.changed-nonce', 'The credentials with a nonce that is almost right', { of: 'half.challenge', changed: 'almost' }),
        ...control('half.other', 'half.other-control', 'nonce and credentials together once more', [
          verdict('exchange.wrong-nonce-refused', 'refuses a nonce with its last character changed', 'half.changed-nonce'),
        ]),
      ],
    ),
    // Last of what needs no clock, and one attempt each: a target may lock an account.
    folder(
      'refused-credentials',
      'W',
      'Refusals: wrong credentials',
      'A good nonce with wrong credentials, each followed by the right ones.',
      [
        ...attempt('user', 'The paraphrase for a user who does not exist', 'of nobody', 'exchange.unknown-user-refused', 'an unknown user'),
        ...attempt('paraphrase', 'A wrong paraphrase', 'wrong', 'exchange.wrong-paraphrase-refused', 'a wrong paraphrase'),
      ],
    ),
    expiryFolder(protocol),
  ];
}

/** The folder that moves the clock; everything else leaves it alone. */
export const clockFolder = 'expiry';

/** One lifetime on the target's clock, with two tokens: one rests, one is used on the way. */
function expiryFolder({ token: { lifetime, lifetimeMs } }: Protocol): Folder {
  const halfMs = Math.floor(lifetimeMs / 2);
  const resting = { of: 'rest.exchange' };
  const used = { of: 'use.exchange' };
  const once = ['use.again'];
  const past = (id: string, name: string, token: Value, before: string) =>
    refused(id, name, { token, after: [before, 'expiry.past'], needs: once });
  const validUntil = (when: string) => [check('expiry.valid-until', `opens the collection ${when} its lifetime`, { unless: resting.of })];
  const honoured = {
    token: used,
    shows: 'The token is still honoured.',
    keeps: 'served',
    needs: once,
    otherwise: 'the token was not honoured before the end, see expiry.valid-until',
  } as const;
  const accepted = {
    shows: 'An accepted control: a token that works once, or not at all, shows nothing about expiry.',
    keeps: 'served',
    otherwise: 'the token was not accepted when it was new',
  } as const;
  const about = `The token lives ${lifetime} from its issue: honoured ${margin} before the end, refused ${margin} after it, however much it was used. The clock is moved through clock_url; without it these requests are skipped.`;
  return folder(clockFolder, 'E', 'Expiry (needs clock_url)', about, [
    row('expiry.clock', 'Read the clock', {
      shows: 'The clock answers.',
      to: 'clock',
      keeps: 'clock',
      otherwise: 'the clock did not answer',
    }),
    ...login('rest', 'the token that rests', 'expiry.clock'),
    ...login('use', 'the token that is used', resting.of),
    row('rest.control', 'Control: the token that will rest is accepted', { token: resting, ...accepted }),
    row('use.control', 'Control: the token that will be used is accepted', { token: used, ...accepted }),
    row('use.again', 'Control: it is accepted a second time', {
      ...accepted,
      token: used,
      needs: ['use.control'],
      otherwise: 'the token could not be used twice, see token.reusable',
    }),
    advance('expiry.half', 'Move the clock half a lifetime', halfMs, 'expiry.clock'),
    row('use.half', 'Use the token at half its lifetime', { ...honoured, after: ['expiry.half'], checks: validUntil('at half') }),
    advance('expiry.before', 'Move the clock to just before the end', lifetimeMs - marginMs - halfMs, 'expiry.half'),
    row('use.before', 'Use the token just before the end', {
      ...honoured,
      after: ['expiry.before'],
      behind: ['use.half'],
      checks: validUntil(`${margin} before the end of`),
    }),
    advance('expiry.past', 'Move the clock to just past the end', 2 * marginMs, 'expiry.before'),
    past('rest.past', 'The token that rested, just past the end', resting, 'rest.control'),
    past('use.past', 'The token that was used, just past the end', used, 'use.before'),
    ...login('after', 'the control', 'expiry.past'),
    row('after.control', 'Control: a new token is accepted', {
      token: { of: 'after.exchange' },
      checks: [
        verdict('expiry.refused-after', `refuses a token ${margin} after the end of its lifetime`, 'rest.past'),
        verdict('expiry.not-sliding', 'refuses a token after the end of its lifetime although it was used just before', 'use.past', {
          unless: 'rest.past',
        }),
      ],
    }),
  ]);
}

function refused(id: string, name: string, given: Partial<Row>): Row {
  return row(id, name, { keeps: 'refusal', ...given });
}

function withNonce(id: string, name: string, nonce: Value): Row {
  return refused(id, name, { nonce, credentials: 'right', needs });
}

function verdict(requirement: string, what: string, refusal: string, more: Partial<Check> = {}): Check {
  return check(requirement, what, { refusal, ...more });
}

function control(nonce: string, id: string, what: string, checks: readonly Check[]): Row[] {
  return [
    askForNonce(nonce, 'Ask for a nonce for the control', needs),
    row(id, `Control: ${what}`, { nonce: { of: nonce }, credentials: 'right', checks }),
  ];
}

function attempt(id: string, name: string, credentials: 'of nobody' | 'wrong', requirement: string, what: string): Row[] {
  return [
    askForNonce(`${id}.challenge`, 'Ask for a nonce', needs),
    refused(`${id}.wrong`, name, { nonce: { of: `${id}.challenge` }, credentials, needs }),
    ...control(`${id}.fresh`, `${id}.control`, 'the right credentials', [verdict(requirement, `refuses ${what}`, `${id}.wrong`)]),
  ];
}

function login(id: string, which: string, need: string): Row[] {
  return [
    askForNonce(`${id}.challenge`, `Ask for a nonce for ${which}`, [need]),
    loginWith(`${id}.challenge`, `${id}.exchange`, `Log in for ${which}`),
  ];
}

function advance(id: string, name: string, advanceMs: number, before: string): Row {
  return row(id, name, { shows: 'Moves the clock of the target.', to: 'clock', advanceMs, after: [before], keeps: 'clock' });
}
