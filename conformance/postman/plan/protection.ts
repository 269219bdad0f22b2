import type { Protocol } from '../../../spec/index.js';
import { check, collectionUrl, type PlannedFolder, type PlannedRequest, request, tokenHeaders } from './request.js';

const nowhere = '{{base_url}}/hydrauth-no-such-path';
/** What is refused there says nothing of a token where anybody is served. */
export const guardedVocabulary = { vocabulary_guarded: 'the vocabulary was not seen to refuse strangers, see protection.vocabulary' };
const open = 'the first read was not refused, see challenge.status';
const methods = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const guarded = (method: string) => `guarded_${method.toLowerCase()}`;
/** Pairs of circumstances that open doors in the field. Each is sent only where its method alone is challenged. */
const pairs: readonly { id: string; about: string; words: string; changed: Partial<PlannedRequest> & { method: string } }[] = [
  {
    id: 'override',
    about: 'headers',
    words: 'a POST that asks to be taken for a GET',
    changed: { method: 'POST', headers: { 'X-HTTP-Method-Override': 'GET' } },
  },
  {
    id: 'forwarded',
    about: 'headers',
    words: 'a PUT that claims to come from the host itself',
    changed: { method: 'PUT', headers: { 'X-Forwarded-For': '127.0.0.1', 'X-Real-IP': '127.0.0.1' } },
  },
  { id: 'query', about: 'queries', words: 'a DELETE with a query', changed: { method: 'DELETE', url: `${collectionUrl}?_method=GET` } },
];

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
        url: `{{base_url}}${protocol.link.path}`,
        sets: ['vocabulary_guarded'],
        keep: "h.set('vocabulary_guarded', h.granted(h.get('resource')) === '' ? 'yes' : '');",
      }),
      stranger('nowhere', `P3 Read a path that does not exist, ${bare}`, 'unknown-paths', 'challenges an unknown path', { url: nowhere }),
      ...methods.map((method, index) =>
        stranger(method.toLowerCase(), `P${index + 4} ${method} on the collection ${bare}`, 'methods', `challenges ${method}`, {
          method,
          sets: [guarded(method)],
          keep: `h.set('${guarded(method)}', h.answer.status === h.protocol.challenge.status ? 'yes' : '');`,
        }),
      ),
      ...pairs.map(({ id, about, words, changed }, index) =>
        stranger(id, `P${index + methods.length + 4} Send ${words}, ${bare}`, about, `challenges ${words}`, {
          needs: { challenged: open, [guarded(changed.method)]: `${changed.method} was not challenged, see protection.methods` },
          ...changed,
        }),
      ),
      request({
        id: 'errors.nowhere',
        name: `P${methods.length + pairs.length + 4} Read a path that does not exist, with the token`,
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
