import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startReferenceServer } from '../../fixtures/reference-server.js';
import { needs } from '../../fixtures/test/needs.js';
import { useLivePage } from './live-page.js';

const program = needs('chromium');

/** Everything that the page reads or changes. */
const calls = [
  ['GET', '/'],
  ['GET', '/page/live.js'],
  ['GET', '/page/facts.json'],
  ['GET', '/exchanges'],
  ['GET', '/exchanges/events'],
  ['GET', '/state'],
  ['GET', '/faults'],
  ['POST', '/clock', { advanceMs: 60_000 }],
  ['POST', '/reset'],
  ['POST', '/tokens'],
  ['POST', '/tokens/1/expire'],
  ['PUT', '/faults/challenge-403'],
] as const;

/** A call with headers that fetch would not send, and what came. */
function ask(url: string, method: string, headers: Record<string, string>, body?: object): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      resolve({ status: answer.statusCode ?? 0, text });
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

test.each([
  ['without the token', {}, 401],
  ['with another token', { Authorization: 'Bearer 00' }, 401],
  ['with the cookie of another server', { Cookie: 'hydrauth-control-1=00' }, 401],
  ['with another Host', { Host: 'evil.example', right: '' }, 403],
  ['with another Origin', { Origin: 'http://evil.example', right: '' }, 403],
  ['from a page of another site', { 'Sec-Fetch-Site': 'cross-site', right: '' }, 403],
] as const)('nobody reads or changes anything %s', async (_, given, status) => {
  await using server = await startReferenceServer({ page: true, clock: 'manual' });
  await fetch(`${server.url}/books`);
  await server.issueToken();
  const before = await server.state();
  const { right, ...headers } = { right: undefined, ...given };
  const { url, token } = server.control ?? { url: '', token: '' };
  for (const [method, path, body] of calls) {
    const answer = await ask(
      url + path,
      method,
      { ...headers, ...(right === undefined ? {} : { Authorization: `Bearer ${token}` }) },
      body,
    );
    expect([method, path, answer.status]).toEqual([method, path, status]);
    expect(Object.keys(JSON.parse(answer.text))).toEqual([String(status)]);
  }
  expect(await server.state()).toEqual(before);
});

describe.skipIf(program.skip)(`another page in Chromium${program.note}`, () => {
  const open = useLivePage(program.path);

  test('a page of another origin reads and changes nothing, although the browser has the cookie', async () => {
    const { page, server, ask: read } = await open();
    await read('/books');
    await server.issueToken();
    const before = await server.state();
    const other = createServer((_, res) => res.setHeader('Content-Type', 'text/html').end('<!doctype html><title>another origin</title>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());

    const control = server.control?.url as string;
    const stranger = await page.context().newPage();
    await stranger.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const seen = await stranger.evaluate(
      async ([address, all]) => {
        const got: string[] = [];
        for (const [method, path, body] of all) {
          const sent = { method, body: body === undefined ? null : JSON.stringify(body), credentials: 'include' } as const;
          for (const mode of ['cors', 'no-cors'] as const) {
            await fetch(address + path, { ...sent, mode }).then(
              async (answer) => got.push(await answer.text()),
              () => {},
            );
          }
        }
        const events = await new Promise((resolve) => {
          const source = new EventSource(`${address}/exchanges/events`, { withCredentials: true });
          source.onopen = () => resolve('opened');
          source.onerror = () => resolve('refused');
        });
        return { texts: got.filter((text) => text !== ''), events };
      },
      [control, calls] as const,
    );
    expect(seen).toEqual({ texts: [], events: 'refused' });
    await expect(stranger.addScriptTag({ url: `${control}/page/live.js` })).rejects.toThrow('Failed to load script');

    const form = `<form method="post" action="${control}/reset"></form><script>document.forms[0].submit()</script>`;
    const answered = stranger.waitForResponse(`${control}/reset`);
    await stranger.setContent(form);
    expect((await answered).status()).toBe(403);
    expect(await server.state()).toEqual(before);
  });
});
