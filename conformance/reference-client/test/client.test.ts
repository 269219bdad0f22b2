import { describe, expect, test } from 'vitest';
import { manualClock, type StartOptions, startReferenceServer } from '../../../fixtures/reference-server.js';
import { hydraClient, LoginRefused, TokenRefused } from '../index.js';

const paraphrase = 'pass:wörd 北京 ☃';

const secrets = { 'x-authentication': 'nonce', authorization: 'credentials', 'x-authorization': 'token' };

/** A server, its client, and what went over the wire. */
async function scene(options: StartOptions = {}, secret = paraphrase) {
  const clock = manualClock();
  const server = await startReferenceServer({ clock, collections: ['books', 'people'], users: [{ id: 7, paraphrase }], ...options });
  const sent: { method: string; headers: Headers; body: string; carries: string; status: number }[] = [];
  const here = { server, clock, sent, onExchange: () => {}, [Symbol.asyncDispose]: () => server.close() };
  const recordingFetch: typeof fetch = async (input, init) => {
    const copy = new Request(input, { ...init, signal: null });
    const { method, headers } = copy;
    const carries = Object.entries(secrets).flatMap(([name, word]) => (headers.has(name) ? [word] : []));
    if (carries.includes('credentials')) here.onExchange();
    const answer = await fetch(input, init);
    sent.push({ method, headers, body: await copy.text(), carries: carries.join(' and ') || 'nothing', status: answer.status });
    return answer;
  };
  return Object.assign(here, { api: hydraClient({ baseUrl: server.url, user: 7, paraphrase: secret, fetch: recordingFetch }) });
}

test('a login takes no caller down with another that has lost patience', async () => {
  await using here = await scene({ variants: ['slow'] });
  const impatient = new AbortController();
  const first = here.api.fetch('books', { signal: impatient.signal });
  const second = here.api.fetch('people');
  here.onExchange = () => impatient.abort(new Error('no patience'));
  await expect(first).rejects.toThrow('no patience');
  expect((await second).status).toBe(200);
});

describe('a request that changes something', () => {
  test.each([
    ['text', 'naïve'],
    ['octets', new TextEncoder().encode('naïve')],
    ['a stream', new Blob(['naïve']).stream()],
  ])('is repeated with its body: %s', async (_, body) => {
    await using here = await scene({ variants: ['post-creates'] });
    const init = { method: 'POST', body, headers: { 'Content-Type': 'text/plain' }, duplex: 'half' } as RequestInit;
    expect((await here.api.fetch('books', init)).status).toBe(201);
    expect(here.sent.map(({ method, body: octets, status }) => [method, octets, status])).toEqual([
      ['POST', 'naïve', 401],
      ['POST', 'naïve', 200],
      ['POST', 'naïve', 201],
    ]);
  });

  test('may be given as a Request', async () => {
    await using here = await scene({ variants: ['post-creates'] });
    const request = new Request(`${here.server.url}/books`, { method: 'POST', body: '{}', headers: { 'X-Own': 'kept' } });
    expect((await here.api.fetch(request)).status).toBe(201);
    expect(here.sent.map(({ headers }) => headers.get('x-own'))).toEqual(['kept', 'kept', 'kept']);
  });
});

describe('giving up', () => {
  test('concurrent requests fail together, and a later one tries anew', async () => {
    await using here = await scene({}, 'wrong');
    const settled = await Promise.allSettled(Array.from({ length: 5 }, () => here.api.fetch('books')));
    const told = { name: 'LoginRefused', code: 'HYDRAUTH_LOGIN_REFUSED', method: 'GET', url: `${here.server.url}/books`, status: 401 };
    for (const each of settled) {
      const { reason } = each as PromiseRejectedResult;
      expect([reason instanceof LoginRefused, reason]).toEqual([true, expect.objectContaining(told)]);
      expect(String(reason)).not.toContain('wrong');
    }
    expect(here.sent.filter(({ carries }) => carries === 'nonce and credentials')).toHaveLength(2);
    await here.server.addUser({ id: 7, paraphrase: 'wrong' });
    expect((await here.api.fetch('books')).status).toBe(200);
  });

  test('a service that refuses every token is left alone', async () => {
    await using here = await scene({ parts: (parts) => ({ ...parts, tokens: { ...parts.tokens, lookup: () => undefined } }) });
    await expect(here.api.fetch('books')).rejects.toBeInstanceOf(TokenRefused);
    expect(here.sent).toHaveLength(5);
  });

  test('what is no challenge is handed on', async () => {
    await using here = await scene({ faults: ['nonce-missing'] });
    expect((await here.api.fetch('books')).status).toBe(401);
    expect(here.sent).toHaveLength(1);
  });
});
