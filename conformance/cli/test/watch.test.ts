import { afterAll, describe, expect, test } from 'vitest';
import { startReferenceServer } from '../../../reference-server/index.js';
import { begun, calling } from './calling.js';

const server = await startReferenceServer({ users: [{ id: 7, paraphrase: 'a long paraphrase' }], collections: ['books'] });
afterAll(() => server.close());

/** Starts a watch, lets a client go through it, and ends it. */
async function watched(use: (url: string) => Promise<unknown>) {
  const { printed, stop } = begun(['watch', server.url]);
  await use(await printed(/^http:\/\/127\.0\.0\.1:\d+\/api$/m));
  return stop();
}

describe('hydrauth watch', () => {
  test('judges what went through it when it is interrupted', async () => {
    const { code, out } = await watched(async (url) => {
      const send = (headers: Record<string, string>) => fetch(`${url}/books`, { headers });
      const nonce = (await send({})).headers.get('x-authentication') ?? '';
      const basic = `Basic ${Buffer.from('7:a long paraphrase').toString('base64')}`;
      const token = (await send({ 'X-Authentication': nonce, Authorization: basic })).headers.get('x-authorization');
      await send({ 'X-Authorization': `Bearer ${token}` });
    });
    expect(out).toContain('The token is sent exactly as it was received.');
    expect(out).toContain('client, watched while somebody else used it');
    expect(out).not.toMatch(/a long paraphrase|replay/);
    expect(code).toBe(1);
  });

  test('has no verdict when nothing came', async () => {
    expect(await watched(async () => {})).toMatchObject({ code: 3, out: expect.stringContaining('No verdict: No request came') });
  });

  test.each<[string[], string]>([
    [[], '<base-url> is missing'],
    [['http://me:canary@h/api'], 'an http or https URL without user, query and fragment is'],
    [['nowhere'], 'an http or https URL without user, query and fragment is'],
    [['http://127.0.0.1:1', '--only', 'token'], '"token" matches no requirement'],
    [['http://127.0.0.1:1', '--host', '203.0.113.1'], 'it cannot listen on port 0 of 203.0.113.1 (EADDRNOTAVAIL)'],
    [['http://127.0.0.1:1', '--ca', '/no/such/file'], 'ca: /no/such/file cannot be read (ENOENT)'],
  ])('refuses %j', async (words, message) => {
    const { code, err } = await calling(['watch', ...words]);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(err).not.toContain('canary');
  });
});
