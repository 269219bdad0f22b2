import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenClients, conformantClients } from '../../../fixtures/clients/index.js';
import { startReferenceServer as started } from '../../../fixtures/reference-server.js';
import { manualClock, type RunningServer, startReferenceServer } from '../../../reference-server/index.js';
import { loadSpec, packageFile, spec } from '../../../spec/index.js';
import { hydraClient } from '../../reference-client/index.js';
import { exitCode, type Report, verdictSentence } from '../../report/index.js';
import { openProxy } from '../index.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startReferenceServer({ users: [{ id: 7, paraphrase: 'a long paraphrase' }], collections: ['books'] });
});
afterAll(() => server.close());

const judged = async (proxy: Awaited<ReturnType<typeof openProxy>>) => (await proxy.end()).report as Report;

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
    ['credentials-at-once', 'client.waits-for-challenge'],
    ['token-as-bearer', 'client.token-as-received'],
  ])('sees %s', async (id, row) => {
    const report = await watched(id, 2);
    expect(ids(report, 'fail', 'warn')).toEqual([row]);
    expect(JSON.stringify(report)).not.toContain('a long paraphrase');
    expect(JSON.stringify(report)).not.toContain(Buffer.from('7:a long paraphrase').toString('base64'));
  });

  test('tells a client that keeps sending a refused token, and not one that tries once more', async () => {
    const clock = manualClock();
    const moved = await started({ clock, users: [{ id: 7, paraphrase: 'a long paraphrase' }] });
    for (const [sends, rows] of [
      [2, []],
      [3, ['client.renews-token']],
    ] as const) {
      const watching = await openProxy({ baseUrl: moved.url });
      const nonce = (await fetch(`${watching.url}/books`)).headers.get('x-authentication') ?? '';
      const authorization = `Basic ${btoa('7:a long paraphrase')}`;
      const { headers } = await fetch(`${watching.url}/books`, { headers: { authorization, 'x-authentication': nonce } });
      const use = () => fetch(`${watching.url}/books`, { headers: { 'x-authorization': headers.get('x-authorization') ?? '' } });
      await use();
      clock.advance({ minutes: 46 });
      for (let sent = 0; sent < sends; sent += 1) await use();
      expect(ids(await judged(watching), 'fail', 'warn')).toEqual(rows);
    }
    await moved.close();
  });

  test('passes on that a login was cut off, and does not send it again', async () => {
    const watching = await openProxy({ baseUrl: server.url });
    const nonce = (await fetch(`${watching.url}/books`)).headers.get('x-authentication') ?? '';
    const answers = server.recorded.length;
    server.troubles.use({ connection: 'reset', step: 'B', next: 1 });
    const authorization = `Basic ${Buffer.from('7:a long paraphrase').toString('base64')}`;
    const { status } = await fetch(`${watching.url}/books`, { headers: { authorization, 'x-authentication': nonce } });
    expect([status, server.recorded.length - answers]).toEqual([502, 1]);
    expect((await judged(watching)).error).toBe(
      'No login of the client worked: the last was answered with 502. Watch it again when the service answers.',
    );
  });

  test('knows by the Date of the service that a token has ended', async () => {
    const clock = manualClock();
    const moved = await started({ clock, users: [{ id: 7, paraphrase: 'a long paraphrase' }] });
    const watching = await openProxy({ baseUrl: moved.url });
    const login = async () => {
      const nonce = (await fetch(`${watching.url}/books`)).headers.get('x-authentication') ?? '';
      const authorization = `Basic ${Buffer.from('7:a long paraphrase').toString('base64')}`;
      const { headers } = await fetch(`${watching.url}/books`, { headers: { authorization, 'x-authentication': nonce } });
      await fetch(`${watching.url}/books`, { headers: { 'x-authorization': headers.get('x-authorization') ?? '' } });
    };
    await login();
    clock.advance({ minutes: 45 });
    await login();
    const report = await judged(watching);
    await moved.close();
    expect([ids(report, 'fail', 'warn'), report.verdict]).toEqual([[], 'conformant']);
  });

  test('of a service with another profile blames nobody, and says what to give', async () => {
    const other = await started({ faults: ['nonce-in-another-header'], users: [{ id: 7, paraphrase: 'a long paraphrase' }] });
    const watching = await openProxy({ baseUrl: other.url });
    const headers = { authorization: `Basic ${Buffer.from('7:a long paraphrase').toString('base64')}` };
    await fetch(`${watching.url}/books`);
    await fetch(`${watching.url}/books`, { headers });
    const report = await judged(watching);
    await other.close();
    expect([ids(report, 'fail'), report.error]).toEqual([[], expect.stringContaining('give that with --spec')]);
  });

  test.each<[string, string, boolean, readonly string[], string]>([
    ['no login worked', 'another paraphrase', true, [], 'No login of the client worked: the last was answered with 401.'],
    ['no login worked, of one row', 'another paraphrase', true, ['client.credentials'], 'No login of the client worked'],
    ['no secret is known', '', false, ['client.url-secrets'], 'The client did not log in while it was watched.'],
    ['a token was not used', 'a long paraphrase', true, [], '2 of 5 MUST requirements stayed untested, more than a third'],
  ])('in which %s has no verdict', async (_, paraphrase, logsIn, only, error) => {
    const watching = await openProxy({ baseUrl: server.url, only });
    const nonce = (await fetch(`${watching.url}/books`)).headers.get('x-authentication') ?? '';
    const headers = { 'x-authentication': nonce, authorization: `Basic ${btoa(`7:${paraphrase}`)}` };
    if (logsIn) await fetch(`${watching.url}/books`, { headers });
    const report = await judged(watching);
    expect([report.error, exitCode(report)]).toEqual([expect.stringContaining(error), 3]);
  });

  test('does not hold a token or nonce against a client that it has from before the watch', async () => {
    const nonce = (await fetch(`${server.url}/books`)).headers.get('x-authentication') ?? '';
    const watching = await openProxy({ baseUrl: server.url });
    const authorization = `Basic ${btoa('7:a long paraphrase')}`;
    const lines = [{ 'x-authentication': nonce, authorization }, { 'x-authorization': await server.issueToken() }];
    for (const headers of lines) await fetch(`${watching.url}/books`, { headers });
    const report = await judged(watching);
    expect(ids(report, 'fail', 'warn')).toEqual([]);
    expect(report.remarks.join()).toContain('2 requests carried a nonce or token whose issue was not seen');
  });

  test('knows another profile', async () => {
    const spec = packageFile('spec', 'example.overlay.yaml');
    await using other = await startReferenceServer({ users: [{ id: 7, paraphrase: 'a long paraphrase' }], collections: ['books'], spec });
    const watching = await openProxy({ baseUrl: other.url, spec });
    const api = hydraClient({ baseUrl: watching.url, user: 7, paraphrase: 'a long paraphrase', spec: loadSpec(spec) });
    for (const path of ['books', 'books']) expect((await api.fetch(path)).ok).toBe(true);
    const report = await judged(watching);
    expect(ids(report, 'pass')).toContain('client.token-as-received');
    expect([report.verdict, ids(report, 'fail', 'warn')]).toEqual(['conformant', []]);
  });
});
