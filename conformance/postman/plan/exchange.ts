import type { Protocol } from '../../../spec/index.js';
import { everywhere, oneMember } from './everywhere.js';
import { check, exchangeHeaders, type PlannedFolder, request } from './request.js';

export function exchangeFolder(protocol: Protocol): PlannedFolder {
  const { exchange, headers } = protocol;
  return {
    id: 'exchange',
    name: 'Step B: exchange',
    about: 'The same read with the nonce and the credentials is answered with a token.',
    requests: [
      request({
        id: 'exchange.first',
        name: 'B1 Exchange the nonce and the credentials for a token',
        shows: 'The exchange, whole.',
        headers: exchangeHeaders(protocol, { nonce: 'nonce', credentials: 'credentials' }),
        after: ['challenge.second'],
        needs: { nonce: 'Step A gave no nonce' },
        sets: ['token'],
        keep: "h.keepToken('token');",
        checks: [
          check('exchange.status', `answers ${exchange.status}`, 'h.hasStatus(h.protocol.exchange.status)'),
          check('exchange.token', `carries a token in ${headers.token}`, 'h.onExchange(h.hasToken)'),
          check('exchange.token-shape', `the token is of ${exchange.tokenWords}`, 'h.onExchange(h.tokenShaped)'),
          check('exchange.body', oneMember(exchange.body), 'h.onExchange(() => h.hasBody(h.protocol.exchange.body))'),
          ...everywhere(protocol, 'the exchange', 'onExchange'),
        ],
      }),
    ],
  };
}
