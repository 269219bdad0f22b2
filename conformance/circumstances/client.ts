import { bundled, type Circumstance, line, withHeaders } from './circumstance.js';

export const agent = bundled('User-Agent', [
  line('User-Agent', 'curl/8.0'),
  line('User-Agent', 'Mozilla/5.0 (compatible; Googlebot/2.1)'),
  line('User-Agent', 'kube-probe/1.29'),
  line('User-Agent', 'ELB-HealthChecker/2.0'),
  line('User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'),
]);

const ownCookie: Circumstance = {
  id: 'own cookie',
  words: 'the request returns the cookie that the target set',
  change: (draft) => ({ ...draft, returnsCookies: true }),
};

export const cookie = bundled('Cookie', [
  line('Cookie', 'session=1; admin=true'),
  line('Cookie', 'token=deadbeef; auth=1; logged_in=yes'),
  ownCookie,
]);

const ownReferer: Circumstance = {
  id: 'own Referer',
  words: 'the Referer is a page of the target itself',
  change: (draft, { origin, basePath }) => withHeaders(['Referer', `${origin}${basePath}/`])(draft),
};

/** Not with OPTIONS: that would be a real preflight, which needs no credentials. */
const preflight: Circumstance = {
  id: 'headers of a preflight',
  words: 'the request has the headers of a CORS preflight and not its method',
  change: withHeaders(
    ['Origin', 'https://elsewhere.example'],
    ['Access-Control-Request-Method', 'GET'],
    ['Access-Control-Request-Headers', 'x-requested-with'],
  ),
  notBeside: ['X-HTTP-Method-Override: OPTIONS'],
};

/** What a browser says of the page behind a request. */
export const origin = [
  bundled('Origin', [
    line('Origin', 'https://elsewhere.example'),
    line('Origin', 'null'),
    preflight,
    {
      id: 'own Origin',
      words: 'the Origin is that of the target itself',
      change: (draft, scene) => withHeaders(['Origin', scene.origin])(draft),
    },
  ]),
  bundled('page', [
    ownReferer,
    line('Referer', 'https://elsewhere.example/login'),
    line('Sec-Fetch-Mode', 'navigate'),
    line('X-Requested-With', 'XMLHttpRequest'),
  ]),
  bundled('site', [line('Sec-Fetch-Site', 'same-origin'), line('Sec-Fetch-Site', 'cross-site'), line('Sec-Fetch-Site', 'none')]),
];
