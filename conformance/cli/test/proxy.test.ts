import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { type ManualClock, startReferenceServer } from '../../../fixtures/reference-server.js';
import { defaultLimits } from '../../../reference-server/index.js';
import { crowded, listening } from '../../../spec/test/listening.js';
import { scratch } from '../../../spec/test/scratch.js';
import { openProxy } from '../../client/index.js';
import { steering } from '../../wire/test/certificate.js';
import { calling, callingUntil } from './calling.js';

const user = { id: 7, paraphrase: 'a long paraphrase' };
const folder = scratch();
const closing: (() => unknown)[] = [];
afterAll(async () => void (await Promise.all(closing.map((close) => close()))));

/** A service with one token after the other, which hands requests with the last one to `serve`. */
async function service(serve: (req: IncomingMessage, res: ServerResponse) => void) {
  const seen = { logins: 0, token: '', requests: [] as IncomingMessage[] };
  const server = createServer((req, res) => {
    seen.requests.push(req);
    if (seen.token !== '' && req.headers['x-authorization'] === seen.token) return serve(req, res);
    const isLogin = req.headers.authorization === `Basic ${btoa('7:a long paraphrase')}` && req.headers['x-authentication'] === 'nonce';
    if (isLogin) seen.token = `70ce${++seen.logins}`;
    res.writeHead(isLogin ? 200 : 401, isLogin ? { 'X-Authorization': seen.token } : { 'X-Authentication': 'nonce' });
    req.resume().on('end', () => res.end('{}'));
  });
  server.on('upgrade', (req, socket) => {
    const isIn = req.headers['x-authorization'] === seen.token;
    socket.write(`HTTP/1.1 ${isIn ? 101 : 401} X\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Authorization: 70ce\r\n\r\n`);
    socket.pipe(socket);
  });
  const { url, close } = await listening(server);
  closing.push(close);
  return { seen, server, url: `${url}/api` };
}

async function inFrontOf(baseUrl: string, more: Partial<Parameters<typeof openProxy>[0]> = {}) {
  const proxy = await openProxy({ baseUrl, user, ...more });
  closing.push(() => proxy.end());
  return proxy.url;
}

/** What comes back to octets, until these words. */
const raw = (url: string, text: string, until: RegExp) =>
  new Promise<string>((resolve) => {
    let out = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text.replaceAll('HERE', new URL(url).host)));
    socket.on('data', (part) => {
      out += part;
      if (until.test(out)) socket.destroy();
    });
    socket.on('error', () => {}).on('close', () => resolve(out));
  });

/** A request as it is written, with these lines behind its host. */
const asking = (path: string, ...lines: string[]) => `${[`GET ${path} HTTP/1.1`, 'Host: HERE', ...lines].join('\r\n')}\r\n\r\n`;
const upgrading = (path: string, to = 'websocket') => asking(path, 'Connection: Upgrade', `Upgrade: ${to}`);

/** The command, used and then ended by a signal. */
async function proxied(words: readonly string[], use: (url: string) => Promise<unknown>) {
  let line = '';
  const ended = await callingUntil(['proxy', ...words, '--json'], (text) => {
    line = text;
    return use(JSON.parse(text).url);
  });
  return { ...ended, line };
}

describe('hydrauth proxy', () => {
  test('logs in once for all, and its clients see no token', async () => {
    const { url, seen } = await service((_, res) => res.setHeader('X-Authorization', '70ce9').end('served'));
    const { code, out, err, line } = await proxied([url, '--user', '7:a long paraphrase'], async (here) => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${here}/books`, { headers: { authorization: 'mine' } })));
      expect(await Promise.all(answers.map((each) => each.text()))).toEqual(Array(20).fill('served'));
      expect(answers.map(({ headers }) => headers.get('x-authorization'))).toEqual(Array(20).fill(null));
    });
    expect([code, err, JSON.parse(line)]).toEqual([0, '', { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api$/), target: url }]);
    expect(out).toBe(line);
    expect([seen.logins, seen.requests.length]).toEqual([1, 22]);
    expect(seen.requests.filter(({ headers }) => headers.authorization === 'mine')).toEqual([]);
  });

  test('renews a token before it expires, and when it is refused; what was streamed gets the refusal', async () => {
    const { url, seen } = await service((req, res) => req.pipe(res));
    let nowMs = 0;
    const here = await inFrontOf(url, { nowMs: () => nowMs });
    const post = async (body: string | ReadableStream) =>
      (await fetch(here, { method: 'POST', body, ...{ duplex: 'half' } })).text().then((text) => [text, seen.logins]);
    expect(await post('one')).toEqual(['one', 1]);
    nowMs = 44 * 60_000;
    expect(await post(new Blob(['two']).stream())).toEqual(['two', 2]);
    seen.token = 'another';
    expect(await post('three')).toEqual(['three', 3]);
    seen.token = 'another';
    expect(await post(new Blob(['four']).stream())).toEqual(['{}', 4]);
    expect(await post(new Blob(['five']).stream())).toEqual(['five', 4]);
  });

  test('goes on with a real service whose tokens have expired', async () => {
    await using server = await startReferenceServer({ users: [user], collections: ['books'], clock: 'manual' });
    const here = await inFrontOf(server.url);
    expect((await fetch(`${here}/books`)).status).toBe(200);
    (server.clock as ManualClock).advance({ minutes: 46 });
    expect((await fetch(`${here}/books`)).headers.get('link')).toContain(`<${here}/vocab>`);
  });

  test('streams events, bodies and WebSockets', async () => {
    const streams: ServerResponse[] = [];
    const { url } = await service((req, res) => {
      streams.push(res);
      res.flushHeaders();
      req.resume();
    });
    const here = await inFrontOf(url);
    const reader = (await fetch(here)).body?.getReader();
    for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
      streams[0]?.write(event);
      expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(event);
    }
    const gone = new Promise((resolve) => streams[0]?.once('close', resolve));
    await reader?.cancel();
    await gone;
    expect(await raw(here, `${upgrading('/ws')}ping`, /ping/)).toBe(
      'HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nping',
    );
  });

  test.each([
    [`${asking('/late')}${upgrading('/ws')}ping`, /late.* 101 .*ping/s],
    [`${asking('/late')}${upgrading('/h2', 'h2c')}`, /late.*served \/h2/s],
    [
      `${asking('/last')}POST /x HTTP/1.1\r\nHost: HERE\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx${asking('/y')}`,
      /served \/lastHTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n(\S+: .*\r\n)+\r\nserved \/x.*served \/y/s,
    ],
    [asking('/?200%20%01'), /^HTTP\/1.1 502 Bad Gateway.*status/s],
    [asking('/?101%20X'), /^HTTP\/1.1 502 Bad Gateway.*another protocol/s],
  ])('ends with no order of requests and no answer of the service: %j', async (request, until) => {
    const unread: Promise<unknown>[] = [];
    const { url, server } = await service((req, res) => {
      const [, status] = req.url?.split('?') ?? [];
      const serve = () => setImmediate(() => setImmediate(() => res.end(`served ${req.url}`)));
      // After /y, which has nothing to wait for.
      if (req.url === '/last')
        return void server.on('request', ({ url }, other: ServerResponse) => url === '/y' && other.once('finish', serve));
      if (status === undefined) return void serve();
      unread.push(new Promise((resolve) => res.on('close', resolve)));
      res.socket?.write(`HTTP/1.1 ${decodeURIComponent(status)}\r\nContent-Length: 0\r\n\r\n`);
    });
    expect(await raw(await inFrontOf(url), request, until)).toMatch(until);
    await Promise.all(unread); // which hold no connection to the service
  });

  test.each([
    [asking('/hangs'), 1],
    [asking('/hangs'), 20],
    ['POST /hangs HTTP/1.1\r\nHost: HERE\r\nContent-Length: 1\r\n\r\nx', 3],
    [`${asking('/hangs')}${upgrading('/ws')}`, 1],
    [upgrading('/hangs'), 1],
  ])('asks for nobody who has left: %j, %i times', async (request, times) => {
    const open = new Set<ServerResponse>();
    let [came, left] = [() => {}, () => {}];
    const { url, seen, server } = await service((req, res) => {
      if (req.url !== '/hangs') return void res.end();
      res.once('close', () => open.delete(res) && open.size === 0 && left());
      if (open.add(res).size === times) came();
    });
    server.removeAllListeners('upgrade');
    const here = await inFrontOf(url);
    await fetch(here); // so that a connection to the service is used again
    const all = new Promise<void>((resolve) => (came = resolve));
    const none = new Promise<void>((resolve) => (left = resolve));
    const client = connect(Number(new URL(here).port), '127.0.0.1');
    client.write(request.repeat(times).replaceAll('HERE', new URL(here).host));
    await all;
    client.destroy();
    await none;
    await fetch(here);
    expect(seen.requests.filter((each) => each.url === '/hangs').length).toBe(times);
  });

  test('tells other origins nothing, and follows no redirect', async () => {
    const elsewhere = await service(() => {});
    const { url, server } = await service((req, res) =>
      res.writeHead(302, { Location: req.url === '/in' ? `${url}/x` : elsewhere.url }).end(),
    );
    const here = await inFrontOf(url);
    const origin = new URL(here).origin;
    const location = async (path: string) => (await fetch(origin + path, { redirect: 'manual' })).headers.get('location');
    expect([await location('/out'), await location('/in')]).toEqual([elsewhere.url, `${here}/x`]);
    expect([elsewhere.seen.requests, server.listening]).toEqual([[], true]);
  });

  test.each([
    ['GET / HTTP/1.1\r\nHost: evil.example', 421],
    ['GET / HTTP/1.1\r\nHost: 127.0.0.1:99999999', 421],
    ['GET http://evil.example/ HTTP/1.1\r\nHost: HERE', 421],
    ['GET / HTTP/1.1\r\nHost: HERE\r\nSec-Fetch-Site: cross-site', 403],
    ['GET / HTTP/1.1\r\nHost: HERE\r\nOrigin: https://evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket', 403],
    ['TRACE / HTTP/1.1\r\nHost: HERE', 405],
    ['POST / HTTP/1.1\r\nHost: HERE\r\nContent-Length: 3\r\nTransfer-Encoding: chunked', 400],
    ['GET / HTTP/1.1\r\nHost: HERE\r\nOrigin: http://127.0.0.1:3000\r\nSec-Fetch-Site: same-site\r\n__proto__: x', 200],
    ['GET / HTTP/1.1\r\nHost: HERE\r\nConnection: Upgrade\r\nUpgrade: h2c', 200],
    // What has a body by its framing has one for the service, too: nothing in it becomes a request.
    ['GET / HTTP/1.1\r\nHost: HERE\r\nTransfer-Encoding: chunked\r\n\r\n13\r\nGET /x HTTP/1.1\r\n\r\n\r\n0', 200],
  ])('answers %j with %i', async (request, status) => {
    const { url, seen } = await service((req, res) => req.pipe(res));
    expect(await raw(await inFrontOf(url), `${request}\r\n\r\n`, request.includes('/x') ? /GET \/x/ : /\r\n\r\n/)).toMatch(
      new RegExp(`^HTTP/1.1 ${status} `),
    );
    expect(seen.requests.length).toBe(status === 200 ? 3 : 0);
  });

  test('keeps neither a crowd of one address nor what a connection asks for again and again', async () => {
    const { url } = await service((req, res) => res.end(`served ${req.url}.`));
    const here = await inFrontOf(url);
    const twenty = Array.from({ length: 20 }, (_, at) => upgrading(`/${at}`, 'h2c'));
    const warnings: Error[] = [];
    const warned = (warning: Error) => void warnings.push(warning);
    process.on('warning', warned);
    expect(await raw(here, twenty.join(''), /served \/19\./)).toContain('served /19.');
    await raw(here, `${upgrading('/ws')}ping`, /ping/);
    process.off('warning', warned);
    expect(warnings).toEqual([]);
    expect(await raw(here, `GET / HTTP/1.1\r\nHost: HERE${'\r\na: b'.repeat(2500)}\r\n\r\n`, /\r\n\r\n/)).toMatch(/^HTTP\/1.1 200 /);
    expect(await crowded(here, defaultLimits.connectionsPerAddress + 1)).toBe(0);
  });

  test('opens 256 connections to the service for whatever is asked at once', async () => {
    const held: ServerResponse[] = [];
    let tell: (_: unknown) => void;
    const { url, server } = await service((_, res) => void (held.push(res) === 256 && tell(held)));
    const here = await inFrontOf(url);
    void raw(here, asking('/p').repeat(600), /^$/);
    await new Promise((resolve) => (tell = resolve));
    // A login has one of its own.
    expect(await promisify(server.getConnections.bind(server))()).toBeLessThan(258);
  });

  test('logs in while all connections to the service wait for the new token', async () => {
    const held: ServerResponse[] = [];
    const { url, server } = await service((_, res) => {
      const count = held.push(res);
      if (count === 256) for (const each of held) each.writeHead(401, { 'X-Authentication': 'nonce' }).end('{}');
      if (count > 256) res.end('served');
    });
    server.keepAliveTimeout = 0;
    const came = await raw(await inFrontOf(url), `${asking('/p').repeat(255)}${asking('/p', 'Connection: close')}`, /^$/);
    expect(came.match(/HTTP.1.1 200 /g)).toHaveLength(256);
  });

  test('waits for a login until its time is over, however often the service sends a little', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const server = createTcpServer((socket) => {
      const little = () => socket.write('HTTP/1.1 103 X\r\n\r\n', () => vi.advanceTimersByTime(10_000));
      const timer = setInterval(little, 1000);
      socket.on('error', () => {}).on('close', () => clearInterval(timer));
      socket.once('data', little);
    });
    const { url, close } = await listening(server);
    closing.push(close);
    expect(await raw(await inFrontOf(url), asking('/p'), /HTTP/)).toMatch(/^HTTP.1.1 502 /);
    vi.useRealTimers();
  });

  test('closes what asks for thousands of answers without waiting for one', async () => {
    const { url } = await service(({ url: path }, res) => void (path === '/hangs' || res.end('served')));
    const here = await inFrontOf(url);
    await raw(here, asking('/hangs').repeat(10_000), /^$/);
    expect(await raw(here, asking('/p'), /served/)).toMatch(/served$/);
  });

  test('keeps nothing of requests that waited for a connection when their client has left', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    let tell: (_: unknown) => void;
    let held = 0;
    const { url } = await service(() => void (++held === 256 && tell(held)));
    const here = await inFrontOf(url);
    void raw(here, asking('/p').repeat(256), /^$/);
    await new Promise((resolve) => (tell = resolve));
    const text = asking('/p', `X: ${'x'.repeat(10_000)}`).repeat(4096);
    collect();
    const before = process.memoryUsage().heapUsed;
    await raw(here, text, /^$/);
    const kept = () => {
      collect();
      return process.memoryUsage().heapUsed - before;
    };
    // The text itself is kept here.
    await expect.poll(kept, { timeout: 5000 }).toBeLessThan(1.5 * text.length);
  });

  test('keeps 32 MB of bodies, and streams what comes beside them', async () => {
    const { url, server } = await service((req, res) => req.pipe(res));
    const here = await inFrontOf(url);
    const begun = `POST /p HTTP/1.1\r\nHost: HERE\r\nContent-Length: ${2 ** 20}\r\n\r\nx`;
    const streamed = new Promise((resolve) => server.on('request', ({ method }) => method === 'POST' && resolve('streamed')));
    const all = Array.from({ length: 33 }, () => raw(here, begun, /^$/));
    expect(await Promise.race([streamed, ...all])).toBe('streamed');
  });

  test.each(['websocket', 'h2c'])('lives when %s is asked for behind what Node.js would answer by itself', async (protocol) => {
    const { url } = await service((_, res) => res.end('{}'));
    for (const [first, status] of [
      ['', 400],
      ['Host: HERE\r\nExpect: much\r\n', 200],
    ] as const) {
      const proxy = await inFrontOf(url);
      const upgrade = `GET /api/end HTTP/1.1\r\nHost: HERE\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;
      const came = await raw(proxy, `GET /api/things HTTP/1.1\r\n${first}\r\n${upgrade}`, /HTTP\/1.1 .*HTTP\/1.1 /s);
      expect(came).toMatch(new RegExp(`^HTTP/1.1 ${status} .*HTTP/1.1 ${protocol === 'h2c' ? 200 : 101} `, 's'));
    }
  });

  test('passes on what a service answers early, before it closes the connection', async () => {
    const { url } = await service((_, res) => res.writeHead(413, { Connection: 'close' }).end());
    const here = await inFrontOf(url);
    const upload = () => {
      const sent = request(`${here}/books`, { method: 'POST' }).on('error', () => {});
      Readable.from(Array.from({ length: 300 }, () => Buffer.alloc(65_536))).pipe(sent);
      return new Promise((resolve) => sent.on('response', ({ statusCode }) => resolve(statusCode)).on('close', resolve));
    };
    const statuses: unknown[] = [];
    for (let times = 0; times < 6; times += 1) statuses.push(await upload());
    // The connection may be closed while the octets that it no longer takes are on their way.
    expect(statuses.filter((status) => status === 413).length).toBeGreaterThan(2);
  });

  test('ends a WebSocket that one side has left and the other keeps', async () => {
    const { url, server } = await service(() => {});
    server.removeAllListeners('upgrade').on('upgrade', (_, socket) => {
      socket.resume().write('HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      socket.once('end', () => socket.write('last words'));
    });
    const { host, port } = new URL(await inFrontOf(url));
    const client = connect(Number(port), '127.0.0.1');
    client.write(`GET /ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    expect(String(await once(client, 'data'))).toMatch(/^HTTP\/1.1 101 /);
    client.end();
    expect(String(await once(client, 'data'))).toBe('last words');
    await once(client, 'close');
  });

  test('verifies certificates, and lets the names in them steer no terminal', async () => {
    const received: unknown[] = [];
    const { port, close } = await listening(createTlsServer(steering, (req, res) => res.end(void received.push(req.headers))));
    closing.push(close);
    for (const [trust, why] of [
      [[], 'self-signed certificate'],
      [['--ca', join(folder, 'ca.pem')], "is not cert's CN: ?[31mevil"],
    ] as const) {
      writeFileSync(join(folder, 'ca.pem'), steering.cert);
      let told = '';
      const { code, err } = await proxied([`https://localhost:${port}/api`, '--user', '7:x', ...trust], async (here) => {
        told = await (await fetch(here)).text();
      });
      expect([code, told, err]).toEqual([3, expect.stringContaining(why), `hydrauth proxy: ${told}`]);
    }
    expect(received).toEqual([]);
  });

  test('closes refusals without end', async () => {
    const closed: Promise<unknown>[] = [];
    const { url } = await service((_, res) => {
      closed.push(new Promise((resolve) => res.on('close', resolve)));
      const more = () => void (res.destroyed || res.write('a'.repeat(65_536), more));
      res.writeHead(401, { 'X-Authentication': 'nonce' });
      more();
    });
    await raw(await inFrontOf(url), asking('/api/x'), /HTTP\/1\.1 401/);
    expect(closed).toHaveLength(2);
    await Promise.all(closed);
  });

  test('says what is wrong with the service or the user, and ends with 3', async () => {
    const { url, seen } = await service(() => {});
    const says = (status: number, words: string) => async (here: string) => {
      for (let again = 0; again < 3; again += 1) {
        const answer = await fetch(`${here}/books`);
        expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(words)]);
      }
    };
    const wrong = await proxied([url, '--user', '7:canary'], says(503, 'The service refused the login of user 7: it answered 401'));
    expect([wrong.code, wrong.err.match(/refused the login/g)?.length, seen.requests.length]).toEqual([3, 1, 3]);
    const away = await proxied(
      ['http://127.0.0.1:9/api', '--user', '7:canary'],
      says(502, 'The service gave no answer: connect ECONNREFUSED'),
    );
    expect([away.code, `${wrong.out}${wrong.err}${away.out}${away.err}`]).toEqual([3, expect.not.stringContaining('canary')]);
    const { port } = new URL(url);
    for (const [words, sentence] of [
      [['--user', '7:canary', '--port', port], `it cannot listen on port ${port} of 127.0.0.1 (EADDRINUSE); give another --port`],
      [['--user', '7:canary', '8:canary'], 'one user is needed, as --user ID:PARAPHRASE; there are 2'],
      [['--user', '7:canary', '--html', 'x.html'], '--html is about what --judge finds'],
    ] as const)
      expect(await calling(['proxy', url, ...words])).toMatchObject({ code: 2, err: expect.stringContaining(sentence) });
  });

  test.each([
    ['challenge-nested', ['challenge.body'], 1],
    [undefined, [], 3],
  ])('with --judge tells what is wrong with a service with the fault %s', async (id, failed, code) => {
    await using server = await startReferenceServer({ users: [user], collections: ['books'], faults: id === undefined ? [] : [id] });
    const folder = scratch();
    const [html, har] = [join(folder, 'report.html'), join(folder, 'traffic.har')];
    const words = [server.url, '--user', '7:a long paraphrase', '--judge', '--html', html, '--record', har];
    const ended = await proxied(words, async (here) => {
      for (const path of ['books', 'books', 'vocab']) await (await fetch(`${here}/${path}`)).text();
    });
    expect([ended.code, ended.out.match(/^1\. (\S+)/m)?.slice(1) ?? []]).toEqual([code, failed]);
    const written = readFileSync(har, 'utf8') + readFileSync(html, 'utf8') + ended.out;
    expect(JSON.parse(readFileSync(har, 'utf8')).log.entries).toHaveLength(5);
    expect(written).not.toMatch(/a long paraphrase/);
  });

  test('with --judge has no verdict when the traffic cannot be recorded', async () => {
    const { url } = await service((_, res) => res.end());
    const folder = scratch();
    const words = [url, '--user', '7:a long paraphrase', '--judge', '--record', join(folder, 'traffic.har')];
    const ended = await proxied(words, async (here) => {
      await fetch(here);
      rmSync(folder, { recursive: true });
    });
    expect([ended.code, ended.err]).toEqual([3, expect.stringMatching(/The recording could not be written to .* \(ENOENT\)/)]);
  });

  test('with --judge writes its reports about a service that never answers', async () => {
    const silent = createServer(() => {});
    await using service = await listening(silent);
    const markdown = join(scratch(), 'report.md');
    const url = `${service.url}/api`;
    const ended = await proxied([url, '--user', '7:a long paraphrase', '--judge', '--markdown', markdown], async (here) => {
      void fetch(here).catch(() => {});
      await new Promise((resolve) => silent.once('request', resolve));
    });
    expect([ended.code, ended.err]).toEqual([3, '']);
    expect(readFileSync(markdown, 'utf8')).toContain('## No verdict');
  });
});
