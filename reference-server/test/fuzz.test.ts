import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { spec } from '../../spec/index.js';
import { startReferenceServer } from '../index.js';
import { aliceBasic, missingCommon, rawText } from './support.js';

/** Raise it for a long job. */
const runs = Number(process.env['HYDRAUTH_FUZZ_RUNS'] ?? 1000);
const seed = Number(process.env['HYDRAUTH_FUZZ_SEED'] ?? 1);
const socketsAtOnce = 20;

const server = await startReferenceServer({
  recordLast: 0,
  limits: { headerTimeoutMs: 200, requestTimeoutMs: 200, keepAliveMs: 200 },
});
const token = await server.issueToken();
afterAll(() => server.close());

const octets = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array).toString('latin1'));
/** One of these words, or anything. */
const oneOf = (words: string, ...more: readonly string[]) =>
  fc.oneof({ arbitrary: fc.constantFrom(...words.split(' '), ...more), weight: 3 }, fc.string({ maxLength: 12 }), octets(12));
const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: usual, weight: 19 }, { arbitrary: odd, weight: 1 });
const word = oneOf('% %zz .. // é', '', ' ', '\t', '\0', '\u007f');
const method = oneOf('GET HEAD POST PUT OPTIONS TRACE CONNECT PATCH PURGE get PRI');
const target = fc.oneof(
  oneOf('/api/books /api/vocab /api/ / * /%zz http://x/api/books x:443 // /api/books?a[b]=c /api/../x /\\', ''),
  fc.array(word, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
);
const version = mostly(fc.constantFrom('HTTP/1.1', 'HTTP/1.0'), oneOf('HTTP/2.0 HTTP/0.9', ''));
const { headers } = spec.protocol;
const name = oneOf('Host Transfer-Encoding Connection Expect Upgrade Origin Cookie Range If-None-Match', ...Object.values(headers));
const value = fc.oneof(
  oneOf('localhost 0 5 -1 99999999999 chunked gzip close keep-alive upgrade 100-continue bytes=0- *'),
  oneOf('Basic', 'Basic Og==', 'Basic MTo=', aliceBasic, `${token}0`, token.slice(1), token.toUpperCase()),
  fc.uuid(),
  fc.stringMatching(/^[0-9a-f]{64}$/),
);
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(''));
const end = mostly(fc.constant('\r\n'), fc.constantFrom('\n', '\r', '\n\r', '\r\n\r\n', ''));
const line = joined(name, fc.constantFrom(': ', ':', ' : ', '\t:', '', ':\r\n '), value, end);
const body = fc.oneof(fc.constant(''), oneOf('hello {"a":[ 5\r\nhello\r\n0\r\n\r\n zz\r\n 5;x=y\r\nhel'), octets(60));
const preflight =
  'OPTIONS /api/books HTTP/1.1\r\nHost: localhost\r\nOrigin: https://a.example\r\nAccess-Control-Request-Method: GET\r\n\r\n';
const request = fc
  .tuple(method, target, version, fc.constantFrom('', 'Host: localhost\r\n'), fc.array(line, { maxLength: 6 }), joined(end, body))
  .map(([verb, path, http, host, lines, rest]) => `${verb} ${path} ${http}\r\n${host}${lines.join('')}${rest}`);
const requests = fc.array(mostly(request, fc.constant(preflight)), { minLength: 1, maxLength: 3 }).map((all) => all.join(''));
const sent = mostly(requests, octets(200));

const exchange = (text: string) => rawText(server.url, Buffer.from(text, 'latin1'), 'half closed');

const seen = new Set<number>();

/** Every answer is HTTP, whole, and gives nothing away. An answer to HEAD has a length and no body. */
function judge(answer: string): void {
  if (answer === '') return;
  for (const piece of answer.split(/(?=HTTP\/1\.1 [0-9]{3} )/)) {
    const end = piece.indexOf('\r\n\r\n');
    expect(end).toBeGreaterThan(0);
    const status = Number(piece.slice(9, 12));
    const [, ...lines] = piece.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((each) => [each.slice(0, each.indexOf(':')).toLowerCase(), each.slice(each.indexOf(':') + 2)]),
    );
    const got = piece.slice(end + 4);
    seen.add(status);
    expect([200, 400, 401, 408, 413, 431]).toContain(status);
    expect(missingCommon(headers)).toEqual([]);
    expect(headers['x-authorization']).toBeUndefined();
    expect([0, Number(headers['content-length'])]).toContain(got.length);
    if (status === 200)
      expect([got, headers['access-control-allow-methods']]).toEqual(['', expect.any(String)]); // a preflight
    else if (got !== '') expect(Object.keys(JSON.parse(got))).toEqual([String(status)]);
  }
}

test(`${runs} raw requests: no crash, no 5xx, nothing served or issued, the common headers on every answer`, {
  timeout: 60_000 + runs * 20,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { minLength: socketsAtOnce, maxLength: socketsAtOnce }), async (texts) => {
      for (const answer of await Promise.all(texts.map(exchange))) judge(answer);
    }),
    { numRuns: Math.ceil(runs / socketsAtOnce), seed, endOnFailure: runs > 10_000 },
  );
  expect([...seen]).toEqual(expect.arrayContaining([200, 400, 401]));
  const { status } = await fetch(`${server.url}/books`);
  expect(status).toBe(401);
});
