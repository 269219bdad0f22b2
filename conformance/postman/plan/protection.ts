import type { Protocol } from '../../../spec/index.js';
import { check, type PlannedFolder, type PlannedRequest, request, tokenHeaders } from './request.js';

const nowhere = '{{base_url}}/hydrauth-no-such-path';
/** More is tried on the vocabulary only where a plain read of it is challenged. */
export const guardedVocabulary = { vocabulary_guarded: 'the vocabulary was not seen to refuse strangers, see protection.vocabulary' };
const open = 'the first read was not refused, see challenge.status';
const methods = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Rule 1. Methods that could change something are sent without credentials only, and only to a target that refused the first read. */
export function protectionFolder(protocol: Protocol): PlannedFolder {
  const stranger = (id: string, name: string, about: string, what: string, changed: Partial<PlannedRequest>): PlannedRequest =>
    request({
      id: `protection.${id}`,
      name,
      shows: 'A stranger gets the challenge.',
      needs: { challenged: open },
      checks: [check(`protection.${about}`, what, 'h.challengedToo()')],
      ...changed,
    });
  const bare = 'without credentials';
  const vocabulary = `{{base_url}}${protocol.link.path}`;
  const claims = 'a read of the vocabulary that claims to come from the host itself';
  return {
    id: 'protection',
    name: 'Rule 1: every request is protected',
    about: 'Other addresses and methods are challenged like the first read, also after somebody has logged in.',
    requests: [
      stranger(
        'collection',
        `P1 Read the collection ${bare}, after the login`,
        'collections',
        'still challenges a stranger after a login',
        {
          after: ['exchange.first'],
        },
      ),
      stranger('vocabulary', `P2 Read the vocabulary ${bare}`, 'vocabulary', 'challenges the vocabulary', {
        url: vocabulary,
        sets: ['vocabulary_guarded'],
        keep: "h.set('vocabulary_guarded', h.answer.status === h.protocol.challenge.status ? 'yes' : '');",
      }),
      stranger('nowhere', `P3 Read a path that does not exist, ${bare}`, 'unknown-paths', 'challenges an unknown path', { url: nowhere }),
      ...methods.map((method, index) =>
        stranger(method.toLowerCase(), `P${index + 4} ${method} on the collection ${bare}`, 'methods', `challenges ${method}`, { method }),
      ),
      stranger(
        'forwarded',
        `P${methods.length + 4} Read the vocabulary as if from the host itself, ${bare}`,
        'headers',
        `challenges ${claims}`,
        {
          url: vocabulary,
          headers: { 'X-Forwarded-For': '127.0.0.1', 'X-Real-IP': '127.0.0.1' },
          needs: { challenged: open, ...guardedVocabulary },
        },
      ),
      stranger(
        'query',
        `P${methods.length + 5} Read the vocabulary with a query, ${bare}`,
        'queries',
        'challenges the vocabulary with a query',
        {
          url: `${vocabulary}?_method=GET&token=x`,
          needs: { challenged: open, ...guardedVocabulary },
        },
      ),
      request({
        id: 'errors.nowhere',
        name: `P${methods.length + 6} Read a path that does not exist, with the token`,
        shows: 'Another error is keyed by its status.',
        url: nowhere,
        headers: tokenHeaders(protocol, 'second_token'),
        after: ['token.second-exchange'],
        needs: { second_token: 'the second login gave no token' },
        checks: [check('errors.status-keyed', 'an error for an unknown path is keyed by its status', 'h.isKeyedByStatus()')],
      }),
    ],
  };
}
