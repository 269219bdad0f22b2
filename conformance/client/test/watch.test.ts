import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { brokenClients, conformantClients } from '../../../fixtures/clients/index.js';
import { startReferenceServer as started } from '../../../fixtures/reference-server.js';
import { manualClock, startReferenceServer } from '../../../reference-server/index.js';
import { loadSpec, packageFile, spec } from '../../../spec/index.js';
import { listening } from '../../../spec/test/listening.js';
import { scratch } from '../../../spec/test/scratch.js';
import { hydraClient } from '../../reference-client/index.js';
import { exitCode, type Report, verdictSentence } from '../../report/index.js';
import { openProxy } from '../index.js';

const users = [{ id: 7, paraphrase: 'a long paraphrase' }];
const basic = `Basic ${btoa('7:a long paraphrase')}`;
const server = await startReferenceServer({ users, collections: ['books'] });
afterAll(() => server.close());

const judged = async (proxy: Awaited<ReturnType<typeof openProxy>>) => (await proxy.end()).report as Report;

const nonceFrom = async (url: string) => (await fetch(`${url}/books`)).headers.get('x-authentication') ?? '';
const logInAt = async (url: string, authorization = basic) =>
  fetch(`${url}/books`, { headers: { authorization, 'x-authentication': await nonceFrom(url) } });
const readWith = ({ headers }: Response, url: string) =>
  fetch(`${url}/books`, { headers: { 'x-authorization': headers.get('x-authorization') ?? '' } });

/** A client reads a few addresses through a watch. */
async function watched(id: string, reads: number, only: readonly string[] = []): Promise<Report> {
  const watching = await openProxy({ baseUrl: server.url, only });
  const { connect } = [...brokenClients, ...conformantClients].find((each) => each.id === id) ?? expect.fail(`no client ${id}`);
  const client = connect({ url: watching.url, user: 7, paraphrase: 'a long paraphrase', print: () => {} });
  for (let read = 0; read < reads; read += 1) await client.read({ url: `${watching.url}/books` });
  return judged(watching);
}

const ids = ({ requirements }: Report, ...outcomes: string[]) =>
  requirements.filter(({ outcome }) => outcomes.includes(outcome)).map(({ id }) => id);

describe('a watch', () => {
  test('passes what was seen of a good client, and what was not exercised is untested', async () => {
    const report = await watched('small', 3);
    expect(ids(report, 'fail', 'warn')).toEqual([]);
    expect(ids(report, 'pass')).toContain('client.token-reused');
    const watchable = spec.clientCatalogue.requirements.filter(({ engines }) => engines.includes('watch')).map(({ id }) => id);
    expect(watchable).toEqual(expect.arrayContaining(ids(report, 'pass')));
    expect(ids(report, 'untested')).toContain('client.uses-new-token');
    expect(report.requirements.find(({ id }) => id === 'client.redirect-secrets')?.reason).toBe(
      'Traffic alone does not show this; hydrauth check-client can.',
    );
    expect([report.verdict, exitCode(report, { strict: true })]).toEqual(['conformant', 0]);
    expect(verdictSentence(report)).toBe('5 tested MUST requirements hold; 4 cannot be seen in traffic.');
    expect(report.requirements.find(({ id }) => id === 'client.token-as-received')?.restsOn).toBe('3 requests that were seen');
    expect(report.target.client).toMatchObject({ way: 'watch', name: `a client of ${server.url}` });
  });

  test.each([
    ['login-for-each-request', 'client.token-reused'],
    ['token-in-authorization', 'client.token-sent'],
    ['credentials-at-once', 'client.waits-for-challenge'],
    ['token-as-bearer', 'client.token-as-received'],
  ])('sees %s', async (id, row) => {
    const report = await watched(id, 2);
    expect(ids(report, 'fail', 'warn')).toEqual([row]);
    expect(JSON.stringify(report)).not.toContain('a long paraphrase');
    expect(JSON.stringify(report)).not.toContain(btoa('7:a long paraphrase'));
  });

  test('takes no preflight, behind which a browser may send nothing, for a request without the token', async () => {
    const watching = await openProxy({ baseUrl: server.url });
    await logInAt(watching.url);
    await fetch(`${watching.url}/books`, { method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } });
    expect(ids(await judged(watching), 'fail', 'warn')).toEqual([]);
  });

  test('accuses nobody of a token that may still be sent when it ends', async () => {
    const watching = await openProxy({ baseUrl: server.url });
    // A page that is loaded again has no token any more.
    for (const url of [watching.url, watching.url]) await logInAt(url);
    await nonceFrom(watching.url);
    expect(ids(await judged(watching), 'fail')).toEqual([]);
  });

  test('tells a client that keeps sending a refused token, and not one that tries once more', async () => {
    const clock = manualClock();
    await using moved = await started({ clock, users });
    for (const [sends, rows] of [
      [2, []],
      [3, ['client.renews-token']],
    ] as const) {
      const watching = await openProxy({ baseUrl: moved.url });
      const given = await logInAt(watching.url);
      await readWith(given, watching.url);
      clock.advance({ minutes: 46 });
      for (let sent = 0; sent < sends; sent += 1) await readWith(given, watching.url);
      expect(ids(await judged(watching), 'fail', 'warn')).toEqual(rows);
    }
  });

  test('sees a request once that it had to send again on another connection', async () => {
    const watching = await openProxy({ baseUrl: server.url });
    await nonceFrom(watching.url);
    server.troubles.use({ connection: 'reset', next: 1 });
    for (const url of [watching.url, watching.url]) await readWith(await logInAt(url), url);
    const report = await judged(watching);
    expect([report.requests, ids(report, 'warn')]).toEqual([7, ['client.token-reused']]);
  });

  test('passes on that a login was cut off, and does not send it again', async () => {
    const watching = await openProxy({ baseUrl: server.url });
    const answers = server.recorded.length;
    server.troubles.use({ connection: 'reset', step: 'B', next: 1 });
    const { status } = await logInAt(watching.url);
    expect([status, server.recorded.length - answers]).toEqual([502, 2]);
    expect((await judged(watching)).error).toBe(
      'No login of the client worked: the last was answered with 502. Watch it again when the service answers.',
    );
  });

  test('knows by the Date of the service that a token has ended', async () => {
    const clock = manualClock();
    await using moved = await started({ clock, users });
    const watching = await openProxy({ baseUrl: moved.url });
    await readWith(await logInAt(watching.url), watching.url);
    clock.advance({ minutes: 45 });
    await readWith(await logInAt(watching.url), watching.url);
    const report = await judged(watching);
    expect([ids(report, 'fail', 'warn'), report.verdict]).toEqual([[], 'conformant']);
  });

  test('of a service with another profile blames nobody, and says what to give', async () => {
    await using other = await started({ faults: ['nonce-in-another-header'], users });
    const watching = await openProxy({ baseUrl: other.url });
    await fetch(`${watching.url}/books`);
    await fetch(`${watching.url}/books`, { headers: { authorization: basic } });
    const report = await judged(watching);
    expect([ids(report, 'fail'), report.error]).toEqual([[], expect.stringContaining('give that with --spec')]);
  });

  test.each<[string, string, boolean, readonly string[], string]>([
    ['no login worked', 'another paraphrase', true, [], 'No login of the client worked: the last was answered with 401.'],
    ['no login worked, of one row', 'another paraphrase', true, ['client.credentials'], 'No login of the client worked'],
    ['no secret is known', '', false, ['client.url-secrets'], 'The client did not log in while it was watched.'],
    ['a token was not used', 'a long paraphrase', true, [], '2 of 5 MUST requirements stayed untested, more than a third'],
  ])('in which %s has no verdict', async (_, paraphrase, logsIn, only, error) => {
    const watching = await openProxy({ baseUrl: server.url, only });
    await (logsIn ? logInAt(watching.url, `Basic ${btoa(`7:${paraphrase}`)}`) : nonceFrom(watching.url));
    const report = await judged(watching);
    expect([report.error, exitCode(report)]).toEqual([expect.stringContaining(error), 3]);
  });

  test('does not hold a token or nonce against a client that it has from before the watch', async () => {
    const nonce = await nonceFrom(server.url);
    const watching = await openProxy({ baseUrl: server.url });
    const lines = [{ 'x-authentication': nonce, authorization: basic }, { 'x-authorization': await server.issueToken() }];
    for (const headers of lines) await fetch(`${watching.url}/books`, { headers });
    const report = await judged(watching);
    expect(ids(report, 'fail', 'warn')).toEqual([]);
    expect(report.remarks.join()).toContain('2 requests carried a nonce or token whose issue was not seen');
  });

  test('shows no secret that it was not seen to be given', async () => {
    await using service = await listening(createServer((req, res) => res.end(JSON.stringify(req.headers))));
    const watching = await openProxy({ baseUrl: service.url });
    const [token, cookie, key] = ['f00dfacef00dfacef00d', 'session-1f2e3d', 'key-5a6b7c8d'];
    const lines = [{ 'x-authorization': token, cookie: `s="${cookie}"` }, { authorization: `Bearer ${key}` }, { authorization: basic }];
    for (const headers of lines) await (await fetch(`${watching.url}/books?${token}+${cookie}`, { headers })).text();
    const report = await judged(watching);
    expect(ids(report, 'fail', 'warn')).toEqual(['client.waits-for-challenge']);
    for (const secret of [token, cookie, key, btoa('7:a long paraphrase')]) expect(JSON.stringify(report)).not.toContain(secret);
  });

  test.each<[string, string, BufferEncoding]>([
    ['in Latin-1', 'Basic Nzp', 'latin1'],
    ['behind a tabulator', 'Basic\tNzp', 'utf8'],
    ['with a blank in its code', 'Basic Nzp ', 'utf8'],
  ])('shows no paraphrase that was sent %s', async (_, beginning, encoding) => {
    const paraphrase = 'wörd-geheim-lang';
    await using service = await listening(createServer((_, res) => res.end(`"Hello ${paraphrase}"`)));
    const record = join(scratch(), 'watch.har');
    const watching = await openProxy({ baseUrl: service.url, record });
    const authorization = Buffer.from(`7:${paraphrase}`, encoding).toString('base64').replace('Nzp', beginning);
    await (await fetch(`${watching.url}/books`, { headers: { authorization } })).text();
    const shown = [JSON.stringify(await judged(watching)), readFileSync(record, 'utf8')];
    for (const each of shown) expect(each).toMatch(/Hello (?!wörd)/);
    expect(statSync(record).mode & 0o777).toBe(0o600);
  });

  test('keeps no bodies without end', async () => {
    const large = 'x'.repeat(64 * 1024);
    await using service = await listening(createServer((_, res) => res.end(large)));
    const watching = await openProxy({ baseUrl: service.url });
    await Promise.all(Array.from({ length: 550 }, async () => (await fetch(`${watching.url}/books`)).text()));
    await (await fetch(`${watching.url}/books`, { method: 'POST', headers: { authorization: basic }, body: 'y'.repeat(100) })).text();
    const report = await judged(watching);
    expect(ids(report, 'fail', 'warn')).toEqual(['client.waits-for-challenge']);
    expect(JSON.stringify(report)).not.toMatch(/x{100}|y{100}/);
  });

  test('passes an answer on that comes before the request is whole, frees the connection, and keeps nothing of what comes after it', async () => {
    const answering = createServer((req, res) => {
      req.on('error', () => {}).resume();
      res.writeHead(401, { 'Content-Length': 2 }).end('{}');
    });
    await using service = await listening(answering);
    const watching = await openProxy({ baseUrl: service.url });
    const { port, pathname } = new URL(watching.url);
    const socket = connect(Number(port), '127.0.0.1');
    const size = 16 * 1024 * 1024;
    // Nothing is read before all is written.
    await new Promise((written) => {
      socket.pause().write(`POST ${pathname}books HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: ${size}\r\n\r\n`);
      socket.write(Buffer.alloc(size, 'late'), written);
    });
    const [head] = (await once(socket.resume(), 'data')) as [Buffer];
    expect(head.toString('latin1', 0, 12)).toBe('HTTP/1.1 401');
    socket.destroy();
    expect(await promisify(answering.getConnections.bind(answering))()).toBe(0);
    expect(JSON.stringify(await judged(watching)).length).toBeLessThan(200_000);
  });

  test('keeps no header lines and cookies without end', async () => {
    await using service = await listening(createServer((_, res) => res.end()));
    const watching = await openProxy({ baseUrl: service.url });
    const cookieOf = (request: number) => Array.from({ length: 1200 }, (_, at) => `a=${1e6 + 1200 * request + at}`).join(';');
    const read = async (_: unknown, at: number) => (await fetch(`${watching.url}/books`, { headers: { cookie: cookieOf(at) } })).text();
    await Promise.all(Array.from({ length: 420 }, read));
    const report = await judged(watching);
    expect(report.requests).toBeLessThan(420);
    expect(report.remarks).toEqual([`Of each client only the first ${report.requests} requests were judged.`]);
  }, 60_000);

  test('knows another profile', async () => {
    const spec = packageFile('spec', 'example.overlay.yaml');
    await using other = await startReferenceServer({ users, collections: ['books'], spec });
    const watching = await openProxy({ baseUrl: other.url, spec });
    const api = hydraClient({ baseUrl: watching.url, user: 7, paraphrase: 'a long paraphrase', spec: loadSpec(spec) });
    for (const path of ['books', 'books']) expect((await api.fetch(path)).ok).toBe(true);
    const report = await judged(watching);
    expect(ids(report, 'pass')).toContain('client.token-as-received');
    expect([report.verdict, ids(report, 'fail', 'warn')]).toEqual(['conformant', []]);
  });
});
