import fc from 'fast-check';
import { expect, test } from 'vitest';
import { userAgent } from '../index.js';
import { fakeTime, get, plainAnswer, withTarget } from './raw-server.js';

test('sends target and header lines exactly as written', async () => {
  const token = fc
    .stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,12}$/)
    .filter((name) => !/^(content-length|transfer-encoding|connection)$/i.test(name));
  const value = fc.stringMatching(/^[\x20-\x7e\x80-\xff\t]{0,20}$/);
  const target = fc.oneof(
    fc.constantFrom('//x', '/%zz', '/a/../b', '/a?b=c#d', '*', '/a b', 'http://other.example/'),
    fc.stringMatching(/^\/[\x21-\x7e\x80-\xff]{0,30}$/),
  );
  await withTarget(plainAnswer, async (client, server) => {
    await fc.assert(
      fc.asyncProperty(target, fc.array(fc.tuple(token, value), { maxLength: 5 }), async (path, headers) => {
        const exchange = await client.send({ method: 'GET', target: path, headers });
        expect(exchange.problem).toBeUndefined();
        const lines = (server.requests.at(-1) as string).split('\r\n');
        expect(lines[0]).toBe(`GET ${path} HTTP/1.1`);
        const own = lines.length - 3 - headers.length;
        expect(lines.slice(1 + own, -2)).toEqual(headers.map(([name, text]) => `${name}: ${text}`));
      }),
      { numRuns: 100 },
    );
  });
});

test('adds Host, User-Agent and Content-Length, unless the plan has them', async () => {
  await withTarget(plainAnswer, async (client, server) => {
    await client.send({ method: 'POST', target: '/api/x', headers: [], body: 'äö' });
    expect(server.requests[0]).toBe(
      `POST /api/x HTTP/1.1\r\nHost: ${server.url.host}\r\nUser-Agent: ${userAgent}\r\nContent-Length: 4\r\n\r\n${Buffer.from('äö').toString('latin1')}`,
    );
    await client.send({
      method: 'GET',
      target: '/',
      headers: [
        ['HOST', 'elsewhere'],
        ['user-agent', ''],
      ],
    });
    expect(server.requests[1]).toBe('GET / HTTP/1.1\r\nHOST: elsewhere\r\nuser-agent: \r\n\r\n');
    await client.send({ method: 'DELETE', target: '/', headers: [] });
    expect(server.requests[2]).not.toMatch(/content-length/i);
    await client.send({ method: 'PUT', target: '/', headers: [] });
    expect(server.requests[3]).toMatch(/\r\nContent-Length: 0\r\n/);
  });
});

test('refuses to send a line break or NUL inside a line', async () => {
  await withTarget(plainAnswer, async (client, server) => {
    for (const text of ['a\r\nb', 'a\nb', 'a\0b']) {
      await expect(client.send({ method: 'GET', target: '/', headers: [['X', text]] })).rejects.toThrow(TypeError);
      await expect(client.send(get(`/${text}`))).rejects.toThrow(/line break/);
    }
    expect(server.requests).toEqual([]);
  });
});

test('gives every header line of the answer in its own spelling and order', async () => {
  const answer =
    'HTTP/1.1 418 I am  a teapot\r\nB: 2\r\na:1\r\nB:\t2 \r\nX-Empty:\r\nX-Folded:\r\n one\r\n \t\r\n  two\r\nX-Latin: \xe9\r\ncontent-length: 0\r\n\r\n';
  const { answer: got } = await withTarget(answer, (client) => client.send(get()));
  expect(got).toMatchObject({ status: 418, reason: 'I am  a teapot', httpVersion: '1.1' });
  expect(got?.headers).toEqual([
    ['B', '2'],
    ['a', '1'],
    ['B', '2'],
    ['X-Empty', ''],
    ['X-Folded', 'one two'],
    ['X-Latin', '\xe9'],
    ['content-length', '0'],
  ]);
});

test('neither follows a redirect nor unpacks a body', async () => {
  const answer = 'HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\xff';
  await withTarget(answer, async (client, server) => {
    const exchange = await client.send(get());
    expect(exchange.answer?.status).toBe(302);
    expect(exchange.answer?.body).toEqual(Buffer.from([0x1f, 0x8b, 0xff]));
    expect(server.requests).toHaveLength(1);
  });
});

test.each([
  ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n'],
  ['GET', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ['GET', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n'],
])('knows that the answer to %s may have no body, and uses the connection again', async (method, answer) => {
  await withTarget(answer, async (client, server) => {
    for (let count = 0; count < 3; count += 1) {
      const exchange = await client.send({ method, target: '/', headers: [] });
      expect(exchange.problem).toBeUndefined();
      expect(exchange.answer?.body).toHaveLength(0);
    }
    expect(server.connections).toBe(1);
  });
});

test('reads over interim answers and single line feeds', async () => {
  const answer = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\nLink: x\n\nHTTP/1.1 200 OK\nContent-Length: 2\n\nok';
  const exchange = await withTarget(answer, (client) => client.send(get()));
  expect(exchange.answer).toMatchObject({ status: 200, body: Buffer.from('ok') });
  expect(exchange.problem).toBeUndefined();
});

test('puts chunks together', async () => {
  const answer = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n3;x=y\r\nabc\r\n0A\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n';
  await withTarget(answer, async (client, server) => {
    for (let count = 0; count < 2; count += 1) expect((await client.send(get())).answer?.body.toString()).toBe('abc0123456789');
    expect(server.connections).toBe(1);
  });
});

test('reads a body without a length until the connection ends', async () => {
  const exchange = await withTarget(
    (socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nall of it'),
    (client) => client.send(get()),
  );
  expect(exchange.answer).toMatchObject({ httpVersion: '1.0', body: Buffer.from('all of it') });
  expect(exchange.problem).toBeUndefined();
});

test('never faster than was asked for: a request behind another in one piece counts as two, and after a busy moment there is no burst', async () => {
  const { time, pass } = fakeTime();
  await withTarget(
    plainAnswer,
    async (client) => {
      for (let times = 0; times < 4; times += 1) await client.send(get('/', { ahead: get() }));
      expect(time.now()).toBeGreaterThanOrEqual(600);
      expect(client.pace.perSecond).toBe(10);
      pass(5000);
      const beganMs = time.now();
      for (let times = 0; times < 5; times += 1) await client.send(get());
      expect(time.now() - beganMs).toBeGreaterThanOrEqual(400);
    },
    { perSecond: 10, time },
  );
});
