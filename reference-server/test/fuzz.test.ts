import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startReferenceServer } from '../index.js';
import { aliceBasic, missingCommon, rawText } from './support.js';

/** Raise it for a long job. */
const runs = Number(process.env['HYDRAUTH_FUZZ_RUNS'] ?? 1000);
const seed = Number(process.env['HYDRAUTH_FUZZ_SEED'] ?? 1);
const socketsAtOnce = 20;

let server: RunningServer;
let token: string;
beforeAll(async () => {
  server = await startReferenceServer({ recordLast: 0, limits: { headerTimeoutMs: 200, requestTimeoutMs: 200, keepAliveMs: 200 } });
  token = await server.issueToken();
});
afterAll(() => server.close());

const words = (text: string) => text.split(' ');
const octets = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array).toString('latin1'));
const word = fc.oneof(
  fc.string({ maxLength: 12 }),
  octets(12),
  fc.constantFrom('', ' ', '\t', '\0', '%', '%zz', '..', '//', '\u007f', 'é'),
);
const method = fc.oneof(fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'TRACE', 'CONNECT', 'PATCH', 'PURGE', 'get', 'PRI'), word);
const target = fc.oneof(
  fc.constantFrom('', ...words('/api/books /api/vocab /api/ / * /%zz http://x/api/books x:443 // /api/books?a[b]=c /api/../x /\\')),
  fc.array(word, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
);
const version = fc.oneof(
  { arbitrary: fc.constantFrom('HTTP/1.1', 'HTTP/1.0'), weight: 9 },
  { arbitrary: fc.oneof(fc.constantFrom('HTTP/2.0', 'HTTP/0.9', ''), word), weight: 1 },
);
const name = fc.oneof(
  fc.constantFrom(
    ...words('Host X-Authentication X-Authorization Authorization Content-Length Transfer-Encoding Connection Expect Upgrade Origin'),
    ...words('Access-Control-Request-Method Cookie Range Accept-Encoding Content-Type If-None-Match'),
  ),
  word,
);
const uuid = fc.uuid();
const value = fc.oneof(
  fc.constantFrom(
    ...words('localhost 0 5 -1 99999999999 chunked gzip close keep-alive upgrade 100-continue bytes=0- * Basic https://a.example'),
    'Basic Og==',
    'Basic MTo=',
    aliceBasic,
  ),
  uuid,
  fc.stringMatching(/^[0-9a-f]{64}$/),
  fc.constantFrom('ALMOST-ONE', 'ALMOST-TWO', 'ALMOST-THREE'),
  word,
);
const line = fc.tuple(name, fc.constantFrom(': ', ':', ' : ', '\t:', '', ':\r\n '), value).map((parts) => parts.join(''));
const end = fc.oneof(
  { arbitrary: fc.constant('\r\n'), weight: 20 },
  { arbitrary: fc.constantFrom('\n', '\r', '\n\r', '\r\n\r\n', ''), weight: 1 },
);
const body = fc.oneof(fc.constant(''), fc.constantFrom('hello', '{"a":[', '5\r\nhello\r\n0\r\n\r\n', 'zz\r\n', '5;x=y\r\nhel'), octets(60));
const preflight =
  'OPTIONS /api/books HTTP/1.1\r\nHost: localhost\r\nOrigin: https://a.example\r\nAccess-Control-Request-Method: GET\r\n\r\n';
const request = fc
  .tuple(method, target, version, fc.array(fc.tuple(line, end), { maxLength: 6 }), end, body, fc.boolean())
  .map(
    ([verb, path, http, lines, last, rest, withHost]) =>
      `${verb} ${path} ${http}\r\n${withHost ? 'Host: localhost\r\n' : ''}${lines.map((parts) => parts.join('')).join('')}${last}${rest}`,
  );
const sent = fc.oneof(
  {
    arbitrary: fc
      .array(fc.oneof({ arbitrary: request, weight: 19 }, { arbitrary: fc.constant(preflight), weight: 1 }), { minLength: 1, maxLength: 3 })
      .map((all) => all.join('')),
    weight: 9,
  },
  { arbitrary: octets(200), weight: 1 },
);

function exchange(text: string): Promise<string> {
  const written = text
    .replaceAll('ALMOST-ONE', `${token}0`)
    .replaceAll('ALMOST-TWO', token.slice(1))
    .replaceAll('ALMOST-THREE', token.toUpperCase());
  return rawText(server.url, Buffer.from(written, 'latin1'), 'half closed');
}

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
