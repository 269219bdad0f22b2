import { madeUp, type Protocol } from '../../../spec/index.js';
import { askForNonce, type Check, check, type Folder, type Row } from './row.js';

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
  const unknown = (what: string, refusal: string) => verdict('token.unknown-refused', what, `token.${refusal}`);
  return [
    {
      id: 'refused-tokens',
      letter: 'T',
      name: 'Refusals: tokens',
      about: 'A token that was never issued, or is almost one that was, opens nothing.',
      requests: [
        refused('token.unknown', 'A token that was never issued', { token: unknownToken, after: [second.of] }),
        refused('token.changed', 'The token with its last character changed', { token: { ...second, changed: 'almost' } }),
        refused('token.cut', 'The token without its last character', { token: { ...second, changed: 'cut' } }),
        refused('token.longer', 'The token with one character more', { token: { ...second, changed: 'longer' } }),
        refused('token.elsewhere', 'A token that was never issued, on the vocabulary', {
          to: 'vocabulary',
          token: unknownToken,
          after: [second.of],
          needs: ['protection.vocabulary'],
        }),
        {
          id: 'token.control',
          name: 'Control: the token as it was issued',
          token: second,
          checks: [
            unknown('refuses a token that was never issued', 'unknown'),
            unknown('refuses a token with one character changed', 'changed'),
            unknown('refuses a token with one character cut', 'cut'),
            unknown('refuses a token with one character added', 'longer'),
            unknown('refuses a token that was never issued, on the vocabulary', 'elsewhere'),
          ],
        },
      ],
    },
    {
      id: 'refused-halves',
      letter: 'X',
      name: 'Refusals: half an exchange and wrong nonces',
      about: 'Neither the nonce nor the credentials are enough alone, and a nonce must be one that was issued.',
      requests: [
        askForNonce('half.challenge', 'Ask for a nonce', needs),
        refused('half.no-credentials', 'The nonce without credentials', { nonce: { of: 'half.challenge' }, needs }),
        refused('half.no-nonce', 'The credentials without a nonce', { credentials: 'right', needs }),
        refused('half.unknown-nonce', 'The credentials with a nonce that was never issued', {
          nonce: unknownNonce,
          credentials: 'right',
          needs,
        }),
        ...control('half.fresh', 'half.control', 'nonce and credentials together', [
          verdict('exchange.credentials-needed', 'refuses a nonce without credentials', 'half.no-credentials'),
          verdict('exchange.nonce-needed', 'refuses credentials without a nonce', 'half.no-nonce'),
          verdict('exchange.wrong-nonce-refused', 'refuses a nonce that was never issued', 'half.unknown-nonce'),
        ]),
        // No more than two in a row: a target may count wrong nonces, too, and lock the account.
        refused('half.changed-nonce', 'The credentials with a nonce that is almost right', {
          nonce: { of: 'half.challenge', changed: 'almost' },
          credentials: 'right',
          needs,
        }),
        ...control('half.other', 'half.other-control', 'nonce and credentials together once more', [
          verdict('exchange.wrong-nonce-refused', 'refuses a nonce with its last character changed', 'half.changed-nonce'),
        ]),
      ],
    },
    {
      // Last of what needs no clock, and one attempt each: a target may lock an account.
      id: 'refused-credentials',
      letter: 'W',
      name: 'Refusals: wrong credentials',
      about: 'A good nonce with wrong credentials, each followed by the right ones.',
      requests: [
        ...attempt('user', 'The paraphrase for a user who does not exist', 'of nobody', [
          verdict('exchange.unknown-user-refused', 'refuses an unknown user', 'user.wrong'),
        ]),
        ...attempt('paraphrase', 'A wrong paraphrase', 'wrong', [
          verdict('exchange.wrong-paraphrase-refused', 'refuses a wrong paraphrase', 'paraphrase.wrong'),
        ]),
      ],
    },
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
  return {
    id: clockFolder,
    letter: 'E',
    name: 'Expiry (needs clock_url)',
    about: `The token lives ${lifetime} from its issue: honoured ${margin} before the end, refused ${margin} after it, however much it was used. The clock is moved through clock_url; without it these requests are skipped.`,
    requests: [
      {
        id: 'expiry.clock',
        name: 'Read the clock',
        shows: 'The clock answers.',
        to: 'clock',
        keeps: 'clock',
        otherwise: 'the clock did not answer',
      },
      ...login('rest', 'the token that rests', 'expiry.clock'),
      ...login('use', 'the token that is used', resting.of),
      { id: 'rest.control', name: 'Control: the token that will rest is accepted', token: resting, ...accepted },
      { id: 'use.control', name: 'Control: the token that will be used is accepted', token: used, ...accepted },
      {
        ...accepted,
        id: 'use.again',
        name: 'Control: it is accepted a second time',
        token: used,
        needs: ['use.control'],
        otherwise: 'the token could not be used twice, see token.reusable',
      },
      advance('expiry.half', 'Move the clock half a lifetime', halfMs, 'expiry.clock'),
      { ...honoured, id: 'use.half', name: 'Use the token at half its lifetime', after: ['expiry.half'], checks: validUntil('at half') },
      advance('expiry.before', 'Move the clock to just before the end', lifetimeMs - marginMs - halfMs, 'expiry.half'),
      {
        ...honoured,
        id: 'use.before',
        name: 'Use the token just before the end',
        after: ['expiry.before'],
        behind: ['use.half'],
        checks: validUntil(`${margin} before the end of`),
      },
      advance('expiry.past', 'Move the clock to just past the end', 2 * marginMs, 'expiry.before'),
      refused('rest.past', 'The token that rested, just past the end', {
        token: resting,
        after: ['rest.control', 'expiry.past'],
        needs: once,
      }),
      refused('use.past', 'The token that was used, just past the end', {
        token: used,
        after: ['use.before', 'expiry.past'],
        needs: once,
      }),
      ...login('after', 'the control', 'expiry.past'),
      {
        id: 'after.control',
        name: 'Control: a new token is accepted',
        token: { of: 'after.exchange' },
        checks: [
          verdict('expiry.refused-after', `refuses a token ${margin} after the end of its lifetime`, 'rest.past'),
          verdict(
            'expiry.not-sliding',
            'refuses a token after the end of its lifetime although it was used just before',
            'use.past',
            'rest.past',
          ),
        ],
      },
    ],
  };
}

function refused(id: string, name: string, given: Partial<Row>): Row {
  return { id, name, keeps: 'refusal', ...given };
}

function verdict(requirement: string, what: string, refusal: string, unless?: string): Check {
  return check(requirement, what, { refusal, ...(unless === undefined ? {} : { unless }) });
}

function control(nonce: string, id: string, what: string, checks: readonly Check[]): Row[] {
  return [
    askForNonce(nonce, 'Ask for a nonce for the control', needs),
    { id, name: `Control: ${what}`, nonce: { of: nonce }, credentials: 'right', checks },
  ];
}

function attempt(id: string, name: string, credentials: 'of nobody' | 'wrong', checks: readonly Check[]): Row[] {
  return [
    askForNonce(`${id}.challenge`, 'Ask for a nonce', needs),
    refused(`${id}.wrong`, name, { nonce: { of: `${id}.challenge` }, credentials, needs }),
    ...control(`${id}.fresh`, `${id}.control`, 'the right credentials', checks),
  ];
}

function login(id: string, which: string, need: string): Row[] {
  return [
    askForNonce(`${id}.challenge`, `Ask for a nonce for ${which}`, [need]),
    {
      id: `${id}.exchange`,
      name: `Log in for ${which}`,
      nonce: { of: `${id}.challenge` },
      credentials: 'right',
      keeps: 'token',
    },
  ];
}

function advance(id: string, name: string, advanceMs: number, before: string): Row {
  return { id, name, shows: 'Moves the clock of the target.', to: 'clock', advanceMs, after: [before], keeps: 'clock' };
}
