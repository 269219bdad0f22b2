import type { Protocol } from '../../../spec/index.js';
import { anyOrigin, everywhere, origin } from './everywhere.js';
import { check, exchangeHeaders, keepServed, type PlannedFolder, request, tokenHeaders } from './request.js';

const noToken = 'Step B gave no token';
const unopened = 'the token did not open the collection, see token.sufficient';

export function tokenFolder(protocol: Protocol): PlannedFolder {
  const { exchange, link } = protocol;
  return {
    id: 'token',
    name: 'Step C: token use',
    about: 'The token alone opens every address, any number of times, and a second login takes nothing from it.',
    requests: [
      request({
        id: 'token.first-use',
        name: 'C1 Read the collection with the token alone',
        shows: 'The token is sufficient.',
        headers: tokenHeaders(protocol, 'token'),
        after: ['exchange.first'],
        needs: { token: noToken },
        sets: ['served', 'resource'],
        keep: `${keepServed('served')}\nh.set('resource', h.served() ? h.text().slice(0, 20000) : '');`,
        checks: [
          check('token.sufficient', 'opens the collection', "h.isServed('the collection')"),
          ...everywhere(protocol, 'the collection', 'onServed'),
        ],
      }),
      request({
        id: 'token.second-use',
        name: 'C2 Read it again with the same token',
        shows: 'The token can be used again.',
        headers: tokenHeaders(protocol, 'token'),
        after: ['token.first-use'],
        needs: { served: unopened },
        sets: ['reused'],
        keep: keepServed('reused'),
        checks: [check('token.reusable', 'opens the collection a second time', "h.isServed('the collection')")],
      }),
      request({
        id: 'token.with-origin',
        name: 'C3 Read the collection from a page of another origin',
        shows: 'The token is sufficient whatever page asks.',
        headers: { ...tokenHeaders(protocol, 'token'), ...origin },
        after: ['token.second-use'],
        needs: { reused: 'the token could not be used twice, see token.reusable' },
        checks: [
          check('token.sufficient', 'opens the collection for a request that names an origin', "h.isServed('the collection')"),
          anyOrigin(protocol, 'the collection', 'onServed'),
        ],
      }),
      request({
        id: 'token.second-challenge',
        name: 'C4 Ask for a nonce for a second login',
        shows: 'Arranges the next request.',
        needs: { token: noToken },
        sets: ['second_nonce'],
        keep: "h.keepNonce('second_nonce');",
      }),
      request({
        id: 'token.second-exchange',
        name: 'C5 Log in a second time while the first token lives',
        shows: 'A second exchange gives another token.',
        headers: exchangeHeaders(protocol, { nonce: 'second_nonce', credentials: 'credentials' }),
        after: ['token.second-challenge'],
        needs: { second_nonce: 'the challenge before the second login gave no nonce' },
        sets: ['second_token'],
        keep: "h.keepToken('second_token');",
        checks: [
          check('exchange.status', `answers ${exchange.status} to a second login`, 'h.hasStatus(h.protocol.exchange.status)'),
          check('exchange.token-unique', 'the second token is another one', 'h.anotherToken()', ['exchange.first']),
        ],
      }),
      request({
        id: 'token.vocabulary',
        name: 'C6 Read the vocabulary with the second token',
        shows: 'A token issued on the collection opens the vocabulary.',
        url: `{{base_url}}${link.path}`,
        headers: tokenHeaders(protocol, 'second_token'),
        after: ['token.second-exchange'],
        needs: { served: unopened, second_token: 'the second login gave no token' },
        checks: [
          check('token.any-endpoint', 'a token issued on the collection opens the vocabulary', 'h.opensVocabulary()'),
          check('token.vocabulary', `${link.path} is served`, 'h.hasVocabulary()'),
          ...everywhere(protocol, 'the vocabulary', 'onServed'),
        ],
      }),
      request({
        id: 'token.older',
        name: 'C7 Read the collection with the first token again',
        shows: 'The second login did not end the first token.',
        headers: tokenHeaders(protocol, 'token'),
        after: ['token.second-use', 'token.second-exchange'],
        needs: {
          reused: 'the token could not be used twice, see token.reusable',
          second_token: 'the second login gave no token',
        },
        checks: [check('token.independent', 'the older token still opens the collection', "h.isServed('the collection')")],
      }),
    ],
  };
}
