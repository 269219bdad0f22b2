import { madeUp, type Protocol } from '../../../spec/index.js';
import { askForNonce, exchangeWith, noNonce, refusedCheck, stateOf, toBeRefused } from './refusals.js';
import { exchangeHeaders, type PlannedFolder, type PlannedRequest } from './request.js';

/** Without an exchange that works there is no accepted control, and no wrong attempt is worth making. */
const needs = { token: 'Step B gave no token' };
const withNonceOf = (id: string) => ({ after: [id], needs: { ...needs, [stateOf(id)]: noNonce } });

export function halfExchangesFolder(protocol: Protocol): PlannedFolder {
  const both = exchangeHeaders(protocol, { nonce: 'changed', credentials: 'credentials' });
  return {
    id: 'refused-halves',
    name: 'Refusals: half an exchange and wrong nonces',
    about: 'Neither the nonce nor the credentials are enough alone, and a nonce must be one that was issued.',
    requests: [
      askForNonce('half.challenge', 'X1 Ask for a nonce', { needs }),
      toBeRefused({
        id: 'half.no-credentials',
        name: 'X2 The nonce without credentials',
        headers: exchangeHeaders(protocol, { nonce: stateOf('half.challenge') }),
        ...withNonceOf('half.challenge'),
      }),
      toBeRefused({
        id: 'half.no-nonce',
        name: 'X3 The credentials without a nonce',
        headers: exchangeHeaders(protocol, { credentials: 'credentials' }),
        needs,
      }),
      toBeRefused({
        id: 'half.unknown-nonce',
        name: 'X4 The credentials with a nonce that was never issued',
        headers: both,
        needs,
        before: `pm.variables.set('hydrauth_changed', '${madeUp(protocol.challenge.noncePattern)}');`,
      }),
      askForNonce('half.fresh', 'X5 Ask for a nonce for the control', { needs }),
      exchangeWith(protocol, 'half.fresh', {
        id: 'half.control',
        name: 'X6 Control: nonce and credentials together',
        checks: [
          refusedCheck('exchange.credentials-needed', 'refuses a nonce without credentials', 'half.no-credentials', 'exchanged'),
          refusedCheck('exchange.nonce-needed', 'refuses credentials without a nonce', 'half.no-nonce', 'exchanged'),
          refusedCheck('exchange.wrong-nonce-refused', 'refuses a nonce that was never issued', 'half.unknown-nonce', 'exchanged'),
        ],
      }),
      // No more than two in a row: a target may count wrong nonces, too, and lock the account.
      toBeRefused({
        id: 'half.changed-nonce',
        name: 'X7 The credentials with a nonce that is almost right',
        headers: both,
        ...withNonceOf('half.challenge'),
        before: `pm.variables.set('hydrauth_changed', h.almost(h.get('${stateOf('half.challenge')}')));`,
      }),
      askForNonce('half.other', 'X8 Ask for a nonce for the control', { needs }),
      exchangeWith(protocol, 'half.other', {
        id: 'half.other-control',
        name: 'X9 Control: nonce and credentials together once more',
        checks: [
          refusedCheck(
            'exchange.wrong-nonce-refused',
            'refuses a nonce with its last character changed',
            'half.changed-nonce',
            'exchanged',
          ),
        ],
      }),
    ],
  };
}

/** Last of what needs no clock, and one attempt each: a target may lock an account. */
export function wrongCredentialsFolder(protocol: Protocol): PlannedFolder {
  const attempt = (id: string, first: number, wrong: string, credentials: string, verdict: [string, string]): PlannedRequest[] => [
    askForNonce(`${id}.challenge`, `W${first} Ask for a nonce`, { needs }),
    toBeRefused({
      id: `${id}.wrong`,
      name: `W${first + 1} ${wrong}`,
      headers: exchangeHeaders(protocol, { nonce: stateOf(`${id}.challenge`), credentials: 'wrong' }),
      ...withNonceOf(`${id}.challenge`),
      before: `const [id, paraphrase] = h.user();\npm.variables.set('hydrauth_wrong', ${credentials});`,
    }),
    askForNonce(`${id}.fresh`, `W${first + 2} Ask for a nonce for the control`, { needs }),
    exchangeWith(protocol, `${id}.fresh`, {
      id: `${id}.control`,
      name: `W${first + 3} Control: the right credentials`,
      checks: [refusedCheck(...verdict, `${id}.wrong`, 'exchanged')],
    }),
  ];
  return {
    id: 'refused-credentials',
    name: 'Refusals: wrong credentials',
    about: 'A good nonce with wrong credentials, each followed by the right ones.',
    requests: [
      ...attempt('user', 1, 'The paraphrase for a user who does not exist', "h.credentials(id + '7919', paraphrase)", [
        'exchange.unknown-user-refused',
        'refuses an unknown user',
      ]),
      ...attempt('paraphrase', 5, 'A wrong paraphrase', "h.credentials(id, paraphrase + 'x')", [
        'exchange.wrong-paraphrase-refused',
        'refuses a wrong paraphrase',
      ]),
    ],
  };
}
