import type { Protocol } from '../../../spec/index.js';
import { anyOrigin, everywhere, origin } from './everywhere.js';
import { exchangeHeaders, type PlannedFolder, request, tokenHeaders } from './request.js';

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
        keep: "h.set('served', h.served() ? 'yes' : '');\nh.set('resource', h.served() ? h.text().slice(0, 20000) : '');",
        checks: [
          { requirement: 'token.sufficient', what: 'opens the collection', code: "h.isServed('the collection')" },
          ...everywhere(protocol, 'the collection', 'onServed'),
        ],
      }),
      request({
        id: 'token.second-use',
        name: 'C2 Read it again with the same token, naming an origin',
        shows: 'The token can be used again.',
        headers: { ...tokenHeaders(protocol, 'token'), ...origin },
        after: ['token.first-use'],
        needs: { served: unopened },
        sets: ['reused'],
        keep: "h.set('reused', h.served() ? 'yes' : '');",
        checks: [
          { requirement: 'token.reusable', what: 'opens the collection a second time', code: "h.isServed('the collection')" },
          anyOrigin(protocol, 'the collection', 'onServed'),
        ],
      }),
      request({
        id: 'token.second-challenge',
        name: 'C3 Ask for a nonce for a second login',
        shows: 'Arranges the next request.',
        needs: { token: noToken },
        sets: ['second_nonce'],
        keep: "h.keepNonce('second_nonce');",
      }),
      request({
        id: 'token.second-exchange',
        name: 'C4 Log in a second time while the first token lives',
        shows: 'A second exchange gives another token.',
        headers: exchangeHeaders(protocol, { nonce: 'second_nonce', credentials: 'credentials' }),
        after: ['token.second-challenge'],
        needs: { second_nonce: 'the challenge before the second login gave no nonce' },
        sets: ['second_token'],
        keep: "h.keepToken('second_token');",
        checks: [
          {
            requirement: 'exchange.status',
            what: `answers ${exchange.status} to a second login`,
            code: 'h.hasStatus(h.protocol.exchange.status)',
          },
          {
            requirement: 'exchange.token-unique',
            what: 'the second token is another one',
            also: ['exchange.first'],
            code: 'h.anotherToken()',
          },
        ],
      }),
      request({
        id: 'token.vocabulary',
        name: 'C5 Read the vocabulary with the second token',
        shows: 'A token issued on the collection opens the vocabulary.',
        url: `{{base_url}}${link.path}`,
        headers: tokenHeaders(protocol, 'second_token'),
        after: ['token.second-exchange'],
        needs: { served: unopened, second_token: 'the second login gave no token' },
        checks: [
          {
            requirement: 'token.any-endpoint',
            what: 'a token issued on the collection opens the vocabulary',
            code: "h.patience();\nif (h.refusedHere()) h.fail('the vocabulary', h.status());\nif (!h.served()) h.untested('the vocabulary is not served at all, see token.vocabulary');",
          },
          {
            requirement: 'token.vocabulary',
            what: `${link.path} is served`,
            code: "if (h.refusedHere()) h.untested('the token was refused there, see token.any-endpoint');\nh.isServed('the vocabulary');",
          },
          ...everywhere(protocol, 'the vocabulary', 'onServed'),
        ],
      }),
      request({
        id: 'token.older',
        name: 'C6 Read the collection with the first token again',
        shows: 'The second login did not end the first token.',
        headers: tokenHeaders(protocol, 'token'),
        after: ['token.second-use', 'token.second-exchange'],
        needs: {
          reused: 'the token could not be used twice, see token.reusable',
          second_token: 'the second login gave no token',
        },
        checks: [
          { requirement: 'token.independent', what: 'the older token still opens the collection', code: "h.isServed('the collection')" },
        ],
      }),
    ],
  };
}
