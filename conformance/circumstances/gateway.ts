import { bundled, headerLines, line, masking } from './circumstance.js';

/** Headers that a gateway adds to say whence a request came, and that clients can write as well. */
export const forwarding = [
  bundled('forwarding', [
    line('X-Forwarded-For', '127.0.0.1'),
    line('X-Forwarded-Proto', 'https'),
    line('X-Forwarded-Proto', 'http'),
    line('Forwarded', 'for=127.0.0.1;proto=https'),
  ]),
  bundled('forwarded name', [
    line('X-Forwarded-Host', 'localhost'),
    line('X-Forwarded-User', '1'),
    line('X-Real-IP', '127.0.0.1'),
    line('Via', '1.1 gateway'),
  ]),
  bundled('forwarded address', [line('X-Original-URL', '/'), line('X-Rewrite-URL', '/'), line('X-SSL-Client-Verify', 'SUCCESS')]),
];

/** Headers that change the method, name a user or unlock something, where somebody believes them. */
export const gateway = [
  bundled('gateway', [
    line('X-HTTP-Method-Override', 'GET'),
    line('X-HTTP-Method-Override', 'OPTIONS'),
    line('X-User', '1'),
    line('Proxy-Authorization', 'Negotiate x'),
  ]),
  bundled('user of a gateway', [line('X-Remote-User', '1'), line('X-Debug', '1'), line('X-Admin', 'true'), line('X-Health-Check', '1')]),
  bundled('key of a gateway', [line('Remote-User', '1'), line('X-Internal', 'true'), line('X-Api-Key', 'test')]),
];

/** What a request asks of the connection or of the server before it is looked at. */
export const expectation = headerLines('expectation', [
  // Most HTTP servers answer it below the application.
  masking(line('Expect', 'nonsense', { granted: [417], anyRefusal: true })),
  // A handshake that is not whole is answered with 400 (RFC 6455, section 4.2.1), by some servers below the application.
  masking(line('Upgrade', 'websocket', { granted: [400, 426], anyRefusal: true })),
  line('Connection', 'close'),
  // It is meant for TRACE and OPTIONS (RFC 9110, section 7.6.2); some gateways refuse whatever they may not pass on.
  masking(line('Max-Forwards', '0', { granted: [400, 502], anyRefusal: true })),
]);
