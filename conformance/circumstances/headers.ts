import { beforeChallenge, bundled, details, line, masking, ownLine, sets, withHeaders } from './circumstance.js';

/** Headers that a gateway adds to say whence a request came, and that clients can write as well. */
const forwarding = [
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
const gateway = [
  bundled('gateway', [
    line('X-HTTP-Method-Override', 'GET'),
    { ...line('X-HTTP-Method-Override', 'OPTIONS'), changesMethod: true },
    line('X-User', '1'),
    line('Proxy-Authorization', 'Negotiate x'),
  ]),
  bundled('user of a gateway', [line('X-Remote-User', '1'), line('X-Debug', '1'), line('X-Admin', 'true'), line('X-Health-Check', '1')]),
  bundled('key of a gateway', [line('Remote-User', '1'), line('X-Internal', 'true'), line('X-Api-Key', 'test')]),
];

/** What a browser says of the page behind a request. */
const page = [
  bundled('Origin', [
    line('Origin', 'https://elsewhere.example'),
    line('Origin', 'null'),
    {
      id: 'headers of a preflight',
      words: 'the request has the headers of a CORS preflight and not its method',
      change: withHeaders(
        ['Origin', 'https://elsewhere.example'],
        ['Access-Control-Request-Method', 'GET'],
        ['Access-Control-Request-Headers', 'x-requested-with'],
      ),
      // With OPTIONS it would be a real preflight, which needs no credentials.
      notBeside: ['X-HTTP-Method-Override: OPTIONS'],
    },
    ownLine('own Origin', 'the Origin is that of the target itself', ({ origin }) => ['Origin', origin]),
  ]),
  bundled('page', [
    ownLine('own Referer', 'the Referer is a page of the target itself', ({ origin, basePath }) => ['Referer', `${origin}${basePath}/`]),
    line('Referer', 'https://elsewhere.example/login'),
    line('Sec-Fetch-Mode', 'navigate'),
    line('X-Requested-With', 'XMLHttpRequest'),
  ]),
  bundled('site', [line('Sec-Fetch-Site', 'same-origin'), line('Sec-Fetch-Site', 'cross-site'), line('Sec-Fetch-Site', 'none')]),
];

const client = [
  bundled('Cookie', [
    line('Cookie', 'session=1; admin=true'),
    line('Cookie', 'token=deadbeef; auth=1; logged_in=yes'),
    { id: 'own cookie', words: 'the request returns the cookie that the target set', change: sets({ returnsCookies: true }) },
  ]),
  bundled('User-Agent', [
    line('User-Agent', 'curl/8.0'),
    line('User-Agent', 'Mozilla/5.0 (compatible; Googlebot/2.1)'),
    line('User-Agent', 'kube-probe/1.29'),
    line('User-Agent', 'ELB-HealthChecker/2.0'),
    line('User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'),
  ]),
];

const notAcceptable = { granted: [406], ...beforeChallenge(406) } as const;

const negotiation = [
  details('Accept', [
    ownLine('Accept: its own media type', 'the request accepts the media type of the service', ({ mediaType }) => ['Accept', mediaType]),
    line('Accept', 'application/json', notAcceptable),
    line('Accept', 'text/html', notAcceptable),
    line('Accept', 'text/plain', notAcceptable),
    masking(line('Accept', '*/*;q=0', notAcceptable)),
  ]),
  bundled('other negotiation', [
    line('Accept-Encoding', 'gzip, deflate, br'),
    line('Accept-Language', 'tlh'),
    line('Accept-Language', 'de-DE,de;q=0.9,fr;q=0.8'),
    line('Accept-Charset', 'iso-8859-1', notAcceptable),
    line('Prefer', 'return=minimal'),
  ]),
];

const notModified = { granted: [304, 412] } as const;

const conditional = [
  bundled('condition', [
    line('If-None-Match', '*', notModified),
    line('If-None-Match', '"x"', notModified),
    {
      ...ownLine('own ETag', 'If-None-Match names the ETag of the resource', ({ etag }) => ['If-None-Match', etag ?? '"x"'], notModified),
      byItself: true,
    },
    line('If-Match', '"x"', notModified),
  ]),
  bundled('condition of time', [
    line('If-Modified-Since', 'Sat, 01 Jan 2000 00:00:00 GMT', notModified),
    line('If-Modified-Since', 'Fri, 01 Jan 2100 00:00:00 GMT', notModified),
    line('If-Unmodified-Since', 'Sat, 01 Jan 2000 00:00:00 GMT', notModified),
  ]),
  bundled('cache', [
    line('Cache-Control', 'no-cache'),
    line('Cache-Control', 'only-if-cached', { granted: [504] }),
    line('Pragma', 'no-cache'),
    line('Range', 'bytes=0-0', { granted: [206, 416] }),
  ]),
];

/** What a request asks of the connection or of the server before it is looked at. */
const expectation = details('expectation', [
  // Most HTTP servers answer it below the application.
  masking(line('Expect', 'nonsense', { granted: [417], anyRefusal: true })),
  // A handshake that is not whole is answered with 400 (RFC 6455, section 4.2.1), by some servers below the application.
  masking(line('Upgrade', 'websocket', { granted: [400, 426], anyRefusal: true })),
  line('Connection', 'close'),
  // It is meant for TRACE and OPTIONS (RFC 9110, section 7.6.2); some gateways refuse whatever they may not pass on.
  masking(line('Max-Forwards', '0', { granted: [400, 502], anyRefusal: true })),
]);

export const aboutSender = [...forwarding, ...gateway, ...page, ...client, ...negotiation];
export const aboutHandling = [...conditional, expectation];
