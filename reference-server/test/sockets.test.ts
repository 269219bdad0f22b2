import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { startReferenceServer } from '../index.js';
import { missingCommon, raw, rawText } from './support.js';

const server = await startReferenceServer({ limits: { headerTimeoutMs: 300, requestTimeoutMs: 400, keepAliveMs: 300 } });
afterAll(() => server.close());

const host = 'Host: localhost\r\n';
const close = 'Connection: close\r\n\r\n';

/** The statuses that come back, each answer with the common headers and a body keyed by its status. */
async function statuses(octets: string | Buffer): Promise<number[]> {
  const answers = await raw(server.url, octets);
  for (const { headers, status, body } of answers) {
    expect(missingCommon(headers)).toEqual([]);
    if (body !== '') expect(Object.keys(JSON.parse(body))).toEqual([String(status)]);
  }
  return answers.map((answer) => answer.status);
}

test.each([
  ['garbage', 'hello\r\n\r\n'],
  ['binary', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc])],
  ['HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['HTTP/9.9', `GET /api/books HTTP/9.9\r\n${host}${close}`],
  ['a header without colon', 'GET /api/books HTTP/1.1\r\nnonsense\r\n\r\n'],
  ['a blank before the colon', `GET /api/books HTTP/1.1\r\n${host}X-Authorization : x\r\n\r\n`],
  ['a control character in a header', `GET /api/books HTTP/1.1\r\n${host}X-A: a\0b\r\n\r\n`],
  ['no Host', 'GET /api/books HTTP/1.1\r\n\r\n'],
  ['length and chunks', `POST /api/books HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['two lengths', `POST /api/books HTTP/1.1\r\n${host}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`],
  ['a negative length', `POST /api/books HTTP/1.1\r\n${host}Content-Length: -5\r\n\r\n`],
  ['an unknown transfer coding', `POST /api/books HTTP/1.1\r\n${host}Transfer-Encoding: gzip\r\n\r\n`],
  ['an unknown method', `FROB /api/books HTTP/1.1\r\n${host}${close}`],
])('what is not HTTP gets a 400 with the common headers: %s', async (_, octets) => {
  expect(await statuses(octets)).toEqual([400]);
  expect((await fetch(server.url)).status).toBe(401);
});

describe('every request that is HTTP is challenged', () => {
  test.each([
    'OPTIONS *',
    'CONNECT example.org:443',
    'GET http://elsewhere.example/api/books',
    'GET http://[',
    'GET /%zz',
    'TRACE /api/books',
    'M-SEARCH *',
    'GET /api/books#x',
    'GET //',
    'SOURCE /api/books',
  ])('%s', async (line) => {
    expect(await statuses(`${line} HTTP/1.1\r\n${host}${close}`)).toEqual([401]);
  });

  test('repeated Authorization lines are no credentials', async () => {
    const token = await server.issueToken();
    const basic = `Authorization: Basic ${Buffer.from('1:correct horse battery staple').toString('base64')}\r\n`;
    const nonce = async () => `X-Authentication: ${(await fetch(server.url)).headers.get('x-authentication')}\r\n`;
    const ask = (lines: string) => statuses(`GET /api/books HTTP/1.1\r\n${host}${lines}${close}`);
    expect(await ask((await nonce()) + basic)).toEqual([200]);
    expect(await ask((await nonce()) + basic + basic)).toEqual([401]);
    expect(await ask(`X-Authorization: ${token}\r\nX-Authorization: ${token}\r\n`)).toEqual([401]);
    const twice = await nonce();
    expect(await ask(twice + twice + basic)).toEqual([401]);
  });
});

describe('bodies', () => {
  test('with a token, too large a body gets 413', async () => {
    const body = 'a'.repeat(70_000);
    const answers = await raw(
      server.url,
      `POST /api/books HTTP/1.1\r\n${host}X-Authorization: ${await server.issueToken()}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      1,
    );
    expect(answers.map((answer) => answer.status)).toEqual([413]);
  });

  test('an endless body is cut off', async () => {
    const { hostname, port } = new URL(server.url);
    const sent = await new Promise<number>((resolve) => {
      const socket = connect(Number(port), hostname);
      let octets = 0;
      const chunk = `${(65_536).toString(16)}\r\n${'a'.repeat(65_536)}\r\n`;
      const more = (error?: Error | null) => {
        if (error) return;
        octets += chunk.length;
        socket.write(chunk, more);
      };
      socket.write(`POST /api/books HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`, more);
      socket.on('error', () => {});
      socket.on('close', () => resolve(octets));
      socket.resume();
    });
    expect(sent).toBeLessThan(20_000_000);
    expect((await fetch(server.url)).status).toBe(401);
  });

  test('malformed JSON, more octets than said and Connection: close do not end the process', async () => {
    const token = await server.issueToken();
    for (const lines of ['', `X-Authorization: ${token}\r\n`]) {
      const request = `POST /api/books HTTP/1.1\r\n${host}${lines}Content-Type: application/json\r\nContent-Length: 5\r\nConnection: close\r\n\r\n{"a":[[[[[[more than five`;
      for (let count = 0; count < 20; count++) expect((await statuses(request))[0]).toBe(lines === '' ? 401 : 405);
    }
    expect((await fetch(server.url)).status).toBe(401);
  });
});

const one = `GET /api/books HTTP/1.1\r\n${host}`;
const posted = `POST /api/books HTTP/1.1\r\n${host}`;
const hello = `${posted}Content-Length: 5\r\n\r\nhello`;
const broken = `${posted}Transfer-Encoding: chunked\r\n\r\nzz\r\n`;

test.each([
  ['too large a header', `${one}X-Long: ${'a'.repeat(20_000)}\r\n\r\n`, [431]],
  ['HTTP/1.0', 'GET /api/books HTTP/1.0\r\n\r\n', [401]],
  ['CONNECT while an earlier answer is under way', `${one}\r\nCONNECT x:1 HTTP/1.1\r\n${host}\r\n`, [401, 401]],
  ['bodies, which are thrown away before the connection goes on', `${hello}${hello}${one}${close}`, [401, 401, 401]],
  ['Expect: 100-continue, which is answered at once', `${posted}Content-Length: 5\r\nExpect: 100-continue\r\n\r\n`, [401]],
  ['broken chunks', broken, [400]],
  ['broken chunks, after the answer to what came before', `${one}\r\n${broken}`, [401, 400]],
  ['garbage after a request', `${one}\r\n\u0001\u0002\r\n\r\n`, [401, 400]],
  ['a header that does not end', 'GET /api/books HTTP/1.1\r\nHost: loc', [408]],
  ['a body that does not end', `${posted}Content-Length: 50\r\n\r\nhello`, [408]],
  ['a request, after which the idle connection ends', `${one}\r\n`, [401]],
])('%s: the connection is answered and ends', async (_, octets, expected) => {
  expect(await statuses(octets)).toEqual(expected);
});

test('a silent connection ends', async () => expect(await rawText(server.url, '')).toMatch(/^(?:HTTP\/1\.1 408 |$)/));

test.each([
  ['in all', { connections: 2 }, '127.0.0.2', false],
  ['of one address', { connectionsPerAddress: 2 }, '127.0.0.1', false],
  ['of another address', { connectionsPerAddress: 2 }, '127.0.0.2', true],
])('beyond the limit of connections %s', async (_, limits, localAddress, isServed) => {
  await using small = await startReferenceServer({ limits });
  const { hostname: address, port } = new URL(small.url);
  const open = (from: string) => connect({ port: Number(port), host: address, localAddress: from }).on('error', () => {});
  const silent = [open('127.0.0.1'), open('127.0.0.1')];
  onTestFinished(() => silent.forEach((socket) => void socket.destroy()));
  await Promise.all(silent.map((socket) => once(socket, 'connect')));
  const ask = async (socket: Socket) => {
    let text = '';
    socket.on('data', (octets) => (text += octets)).write(`GET /api/books HTTP/1.1\r\n${host}${close}`);
    await new Promise((resolve) => socket.once('close', resolve)); // `once` would reject where the connection is reset
    return text.slice(0, 12);
  };
  expect(await ask(open(localAddress))).toBe(isServed ? 'HTTP/1.1 401' : '');
  expect(await ask(silent[0] as Socket)).toBe('HTTP/1.1 401'); // whoever is in stays in
});
