import fc from 'fast-check';
import type { HeaderLine } from '../wire/index.js';

/** Methods that reach the application on every HTTP server; OPTIONS has rows of its own. */
export const guardedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,11}$/);

/** A path below the base URL that no server has by chance. */
export const unknownPath: fc.Arbitrary<string> = fc
  .tuple(fc.array(word, { maxLength: 2 }), fc.stringMatching(/^[a-z0-9]{8}$/), fc.constantFrom('', '/', '.json', '.html'))
  .map(([folders, name, ending]) => `/${[...folders, `no-such-${name}`].join('/')}${ending}`);

export const unknownPathExamples = [
  '/no-such-collection',
  '/no-such/collection/1',
  '/no-such.json',
  '/favicon.ico',
  '/robots.txt',
  '/.well-known/no-such',
  '/docs-no-such',
  '/static/no-such.css',
];

/** A query string, with its question mark. */
export const query: fc.Arbitrary<string> = fc.oneof(
  fc.constant('?'),
  fc
    .array(fc.tuple(word, fc.stringMatching(/^[A-Za-z0-9._~-]{0,12}$/)), { minLength: 1, maxLength: 3 })
    .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`),
);

export const queryExamples = [
  '?',
  '?page=1',
  '?debug=1',
  '?debug=true',
  '?admin=true',
  '?auth=off',
  '?public=1',
  '?format=json',
  '?access_token=x',
  '?token=x',
  '?_method=OPTIONS',
  '?callback=f',
  '?%00',
  '?a=b&a=c',
  '?path=/',
  '?x=/public/',
];

/** Legal request headers that must not matter to authentication. */
export const oddHeaderExamples: readonly HeaderLine[] = [
  ['Accept', 'text/html'],
  ['Accept', 'application/json'],
  ['Accept', '*/*;q=0'],
  ['Accept-Encoding', 'gzip, br'],
  ['Accept-Language', 'tlh'],
  ['Origin', 'https://elsewhere.example'],
  ['Origin', 'null'],
  ['Referer', 'https://elsewhere.example/login'],
  ['Cookie', 'session=1; admin=true'],
  ['X-Forwarded-For', '127.0.0.1'],
  ['X-Real-IP', '127.0.0.1'],
  ['Forwarded', 'for=127.0.0.1;proto=https'],
  ['X-Forwarded-Host', 'localhost'],
  ['X-Original-URL', '/'],
  ['X-Rewrite-URL', '/'],
  ['X-HTTP-Method-Override', 'OPTIONS'],
  ['X-Requested-With', 'XMLHttpRequest'],
  ['X-Debug', '1'],
  ['X-Internal', 'true'],
  ['X-User', '1'],
  ['X-Remote-User', '1'],
  ['If-None-Match', '*'],
  ['If-Modified-Since', 'Sat, 01 Jan 2000 00:00:00 GMT'],
  ['Range', 'bytes=0-0'],
  ['User-Agent', 'curl/8.0'],
  ['User-Agent', 'Mozilla/5.0 (compatible; Googlebot/2.1)'],
  ['Cache-Control', 'no-cache'],
  ['Content-Type', 'text/plain'],
  ['Proxy-Authorization', 'Negotiate x'],
];

export const oddHeader: fc.Arbitrary<HeaderLine> = fc.oneof(
  fc.constantFrom(...oddHeaderExamples),
  fc
    .tuple(fc.stringMatching(/^[a-z]{1,10}$/), fc.stringMatching(/^[!-~]{0,20}$/))
    .map(([name, value]): HeaderLine => [`X-${name}-odd`, value]),
);

/** How a header's name is written: names have no letter case. */
export const nameCase = fc.constantFrom<(name: string) => string>(
  (name) => name,
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
);
