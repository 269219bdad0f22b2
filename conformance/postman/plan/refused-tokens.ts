import { madeUp, type Protocol } from '../../../spec/index.js';
import { guardedVocabulary } from './protection.js';
import { refusedCheck, toBeRefused } from './refusals.js';
import { type PlannedFolder, type PlannedRequest, request, tokenHeaders } from './request.js';

const needs = { second_token: 'the second login gave no token' };

export function refusedTokensFolder(protocol: Protocol): PlannedFolder {
  const near = (id: string, name: string, change: string, changed: Partial<PlannedRequest> = {}): PlannedRequest =>
    toBeRefused({
      id,
      name,
      headers: tokenHeaders(protocol, 'changed'),
      after: ['token.second-exchange'],
      needs,
      before: `pm.variables.set('hydrauth_changed', ${change});`,
      ...changed,
    });
  const token = "h.get('second_token')";
  const unknown = `'${madeUp(protocol.exchange.tokenPattern)}'`;
  return {
    id: 'refused-tokens',
    name: 'Refusals: tokens',
    about: 'A token that was never issued, or is almost one that was, opens nothing.',
    requests: [
      near('token.unknown', 'T1 A token that was never issued', unknown),
      near('token.changed', 'T2 The token with its last character changed', `h.almost(${token})`),
      near('token.cut', 'T3 The token without its last character', `${token}.slice(0, -1)`),
      near('token.longer', 'T4 The token with one character more', `${token} + ${token}.slice(-1)`),
      near('token.elsewhere', 'T5 A token that was never issued, on the vocabulary', unknown, {
        url: `{{base_url}}${protocol.link.path}`,
        needs: { ...needs, ...guardedVocabulary },
      }),
      request({
        id: 'token.control',
        name: 'T6 Control: the token as it was issued',
        shows: 'The accepted control of what was refused before it.',
        headers: tokenHeaders(protocol, 'second_token'),
        after: ['token.second-exchange'],
        needs,
        checks: [
          refusedCheck('token.unknown-refused', 'refuses a token that was never issued', 'token.unknown', 'served'),
          refusedCheck('token.unknown-refused', 'refuses a token with one character changed', 'token.changed', 'served'),
          refusedCheck('token.unknown-refused', 'refuses a token with one character cut', 'token.cut', 'served'),
          refusedCheck('token.unknown-refused', 'refuses a token with one character added', 'token.longer', 'served'),
          refusedCheck('token.unknown-refused', 'refuses a token that was never issued, on the vocabulary', 'token.elsewhere', 'served'),
        ],
      }),
    ],
  };
}
