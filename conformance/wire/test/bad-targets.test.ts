import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { listening } from '../../../spec/test/listening.js';
import { createClient } from '../index.js';
import { certificate, key } from './certificate.js';
import { get, withTarget } from './raw-server.js';

const head = 'HTTP/1.1 200 OK\r\n';
const ends = (text: string) => (socket: Socket) => void socket.end(text, 'latin1');
const drip =
  (text: string, begin = '') =>
  (socket: Socket) => {
    socket.write(begin);
    const timer = setInterval(() => socket.write(text), 5);
    socket.on('close', () => clearInterval(timer));
  };
/** Writes without end, as fast as it is read. */
const flood = (begin: string, more: string) => (socket: Socket) => {
  socket.write(begin);
  const pump = () => {
    while (!socket.destroyed && socket.write(more));
  };
  socket.on('drain', pump);
  pump();
};

test.each<[string, (socket: Socket) => void, string]>([
  ['closes at once', ends(''), 'closed'],
  ['resets', (socket: Socket) => void socket.resetAndDestroy(), 'closed'],
  ['closes in the header', ends(`${head}Content-Le`), 'closed'],
  ['says nothing', () => undefined, 'timeout'],
  ['drips its header', drip('H'), 'malformed'],
  ['drips header lines', drip('x', head), 'timeout'],
  ['drips its body', drip('x', `${head}Content-Length: 9999\r\n\r\n`), 'timeout'],
  ['speaks HTTP/0.9', ends('<html>hello</html>'), 'malformed'],
  ['speaks another protocol and stays', (socket: Socket) => void socket.write('220 mail.example ESMTP\r\n'), 'malformed'],
  ['speaks HTTP/2 without being asked', ends('HTTP/2 200\r\n\r\n'), 'malformed'],
  ['has a strange status', ends('HTTP/1.1 20 OK\r\n\r\n'), 'malformed'],
  ['has a header line without a colon', ends(`${head}nonsense\r\n\r\n`), 'malformed'],
  ['has a blank before the colon', ends(`${head}Date : x\r\n\r\n`), 'malformed'],
  ['has NUL in a header', ends(`${head}X: a\0b\r\n\r\n`), 'malformed'],
  ['sends interim answers without end', flood('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50)), 'malformed'],
  ['sends a header of 2 MB', flood(head, `X: ${'x'.repeat(65_536)}\r\n`), 'too-large'],
  ['sends one endless header line', flood(`${head}X: `, 'x'.repeat(65_536)), 'too-large'],
  ['sends a body without end', flood(`${head}\r\n`, 'x'.repeat(65_536)), 'too-large'],
  ['sends chunks without end', flood(`${head}Transfer-Encoding: chunked\r\n\r\n`, `10000\r\n${'x'.repeat(65_536)}\r\n`), 'too-large'],
  ['sends a trailer without end', flood(`${head}Transfer-Encoding: chunked\r\n\r\n0\r\n`, 'X: y\r\n'.repeat(1000)), 'too-large'],
  ['has a broken chunk size', ends(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc`), 'malformed'],
  ['has a chunk longer than its size', ends(`${head}Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n`), 'malformed'],
  ['has an endless chunk size line', flood(`${head}Transfer-Encoding: chunked\r\n\r\n`, '1'.repeat(1000)), 'malformed'],
  ['closes within a chunk', ends(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\nab`), 'closed'],
  ['uses another transfer coding', ends(`${head}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`), 'malformed'],
  ['says more octets than it sends', ends(`${head}Content-Length: 10\r\n\r\n{}`), 'length'],
  ['says more octets than it sends and stays', (socket: Socket) => void socket.write(`${head}Content-Length: 10\r\n\r\n{}`), 'length'],
  ['sends more octets than it says', (socket: Socket) => void socket.write(`${head}Content-Length: 2\r\n\r\n{}{}`), 'length'],
  ['says two lengths', (socket: Socket) => void socket.write(`${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`), 'length'],
  ['says two lengths in one line', ends(`${head}Content-Length: 2, 3\r\n\r\n{}`), 'length'],
  ['says a length that is no number', (socket: Socket) => void socket.write(`${head}Content-Length: -2\r\n\r\n{}`), 'length'],
  ['says a length and chunks', ends(`${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`), 'length'],
])(
  'of a target that %s a problem is told in a sentence, in bounded time, with the answer beside a wrong length',
  async (name, behave, code) => {
    const begin = performance.now();
    const exchange = await withTarget(behave, (client) => client.send(get()), {
      timeoutMs: code === 'timeout' || name.endsWith('sends and stays') ? 200 : 10_000,
    });
    expect(exchange.problem).toMatchObject({ code, message: expect.stringMatching(/^[A-Z0-9].*\.$/) });
    expect(performance.now() - begin).toBeLessThan(9000);
    expect(exchange.answer?.body.length ?? 0).toBeLessThanOrEqual(5 * 1024 * 1024);
    if (code === 'length') expect(exchange.answer?.body.toString().slice(0, 2)).toBe('{}');
  },
);

test('the same length twice is one length, and nothing wrong on the wire', async () => {
  const exchange = await withTarget(ends(`${head}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`), (client) => client.send(get()));
  expect(exchange.problem).toBeUndefined();
  expect(exchange.answer?.body.toString()).toBe('{}');
});

test('surplus octets that come late are seen on a connection of their own', async () => {
  const late = (socket: Socket) => {
    socket.write(`${head}Content-Length: 2\r\nConnection: close\r\n\r\n{}`, () => setImmediate(() => socket.end('late')));
  };
  const exchange = await withTarget(late, (client) => client.send(get('/', { freshConnection: true })));
  expect(exchange.problem?.code).toBe('length');
});

test('surplus octets are never taken for the next answer', async () => {
  let dropped: Promise<void> | undefined;
  const surplus = (socket: Socket) => {
    dropped = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.write(`${head}Content-Length: 2\r\n\r\n{}`, () => {
      setImmediate(() => socket.write('HTTP/1.1 500 Smuggled\r\nContent-Length: 0\r\n\r\n'));
    });
  };
  await withTarget(surplus, async (client) => {
    await client.send(get());
    await dropped;
    expect((await client.send(get())).answer?.status).toBe(200);
  });
});

describe('over TLS', () => {
  const server = createServer({ cert: certificate, key }, (_, response) => response.end('{}'));
  const unsigned = { code: 'certificate', message: expect.stringContaining('does not verify') };

  test.each([
    ['that does not verify is said to be one', {}, { problem: unsigned }],
    ['can be trusted', { ca: certificate }, { answer: { status: 200 } }],
    ['can be left unlooked at', { insecure: true }, { answer: { status: 200 } }],
  ])('a certificate %s', async (_, options, expected) => {
    await using at = await listening(server);
    const client = createClient({ baseUrl: new URL(at.url.replace('http', 'https')), timeoutMs: 2000, maxConnections: 1, ...options });
    expect(await client.send(get())).toMatchObject(expected);
    client.close();
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('a second connection goes on with the session of the first: %s', async (version) => {
    const reused: boolean[] = [];
    const target = createServer({ cert: certificate, key, minVersion: version, maxVersion: version }, (_, response) => response.end('{}'));
    target.on('secureConnection', (socket: TLSSocket) => reused.push(socket.isSessionReused()));
    await using at = await listening(target);
    const baseUrl = new URL(at.url.replace('http', 'https'));
    const client = createClient({ baseUrl, timeoutMs: 2000, maxConnections: 1, ca: certificate });
    for (let count = 0; count < 2; count += 1) expect((await client.send(get('/', { freshConnection: true }))).answer?.status).toBe(200);
    client.close();
    expect(reused).toEqual([false, true]);
  });

  test('a certificate that is none is refused at once', () => {
    expect(() =>
      createClient({
        baseUrl: new URL('https://localhost'),
        timeoutMs: 1,
        maxConnections: 1,
        ca: '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----',
      }),
    ).toThrow(/^ca: /);
  });
});
