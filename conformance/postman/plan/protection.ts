import type { Protocol } from '../../../spec/index.js';
import { type PlannedFolder, type PlannedRequest, request, tokenHeaders } from './request.js';

const nowhere = '{{base_url}}/hydrauth-no-such-path';
const open = 'the first read was not refused, see challenge.status';

/** Rule 1. Methods that could change something are sent without credentials only, and only to a target that refused the first read. */
export function protectionFolder(protocol: Protocol): PlannedFolder {
  const stranger = (id: string, name: string, requirement: string, what: string, changed: Partial<PlannedRequest>): PlannedRequest =>
    request({
      id: `protection.${id}`,
      name,
      shows: 'A stranger gets the challenge.',
      needs: { challenged: open },
      checks: [{ requirement, what, code: 'h.challengedToo()' }],
      ...changed,
    });
  const methods = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
  return {
    id: 'protection',
    name: 'Rule 1: every request is protected',
    about: 'Other addresses and methods are challenged like the first read, also after somebody has logged in.',
    requests: [
      stranger(
        'collection',
        'P1 Read the collection without credentials, after the login',
        'protection.collections',
        'still challenges a stranger after a login',
        {
          after: ['exchange.first'],
        },
      ),
      stranger('vocabulary', 'P2 Read the vocabulary without credentials', 'protection.vocabulary', 'challenges the vocabulary', {
        url: `{{base_url}}${protocol.link.path}`,
      }),
      stranger(
        'nowhere',
        'P3 Read a path that does not exist, without credentials',
        'protection.unknown-paths',
        'challenges an unknown path',
        {
          url: nowhere,
        },
      ),
      ...methods.map((method, index) =>
        stranger(
          method.toLowerCase(),
          `P${index + 4} ${method} on the collection without credentials`,
          'protection.methods',
          `challenges ${method}`,
          { method },
        ),
      ),
      request({
        id: 'errors.nowhere',
        name: `P${methods.length + 4} Read a path that does not exist, with the token`,
        shows: 'Another error is keyed by its status.',
        url: nowhere,
        headers: tokenHeaders(protocol, 'second_token'),
        after: ['token.second-exchange'],
        needs: { second_token: 'the second login gave no token' },
        checks: [
          { requirement: 'errors.status-keyed', what: 'an error for an unknown path is keyed by its status', code: 'h.isKeyedByStatus()' },
        ],
      }),
    ],
  };
}
