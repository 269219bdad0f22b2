import type { Protocol } from '../../../spec/index.js';
import { everywhere } from './everywhere.js';
import { exchangeHeaders, type PlannedFolder, request } from './request.js';

export function exchangeFolder(protocol: Protocol): PlannedFolder {
  const { exchange, headers } = protocol;
  const [member] = Object.entries(exchange.body).map(([key, message]) => `"${key}": "${message}"`);
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
          { requirement: 'exchange.status', what: `answers ${exchange.status}`, code: 'h.hasStatus(h.protocol.exchange.status)' },
          { requirement: 'exchange.token', what: `carries a token in ${headers.token}`, code: 'h.onExchange(h.hasToken)' },
          { requirement: 'exchange.token-shape', what: 'the token is hexadecimal', code: 'h.onExchange(h.tokenShaped)' },
          {
            requirement: 'exchange.body',
            what: `the body has the one member ${member}`,
            code: 'h.onExchange(() => h.hasBody(h.protocol.exchange.body))',
          },
          ...everywhere(protocol, 'the exchange', 'onExchange'),
        ],
      }),
    ],
  };
}
