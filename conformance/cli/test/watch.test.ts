import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startReferenceServer } from '../../../reference-server/index.js';
import { packageFile } from '../../../spec/index.js';
import { command } from '../../test/command.js';
import { calling } from './calling.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startReferenceServer({ users: [{ id: 7, paraphrase: 'a long paraphrase' }], collections: ['books'] });
});
afterAll(() => server.close());

/** Starts a watch, lets a client go through it, and ends it as a person would. */
async function watched(use: (url: string) => Promise<unknown>): Promise<{ code: number | null; out: string }> {
  const [program, ...words] = command;
  const child = spawn(program, [...words, 'watch', server.url], { cwd: packageFile(), stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const url = await new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      const said = /^http:\/\/127\.0\.0\.1:\d+\/api$/m.exec(out)?.[0];
      if (said !== undefined) resolve(said);
    });
  });
  await use(url);
  child.kill('SIGINT');
  return { code: await ended, out };
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
    const { code, out } = await watched(async () => {});
    expect(out).toContain('No verdict: No request came');
    expect(code).toBe(3);
  });

  test.each<[string[], string]>([
    [[], '<base-url> is missing'],
    [['nowhere'], 'an http or https URL without user, query and fragment is'],
    [['http://127.0.0.1:1', '--only', 'token'], '"token" matches no requirement'],
    [['http://127.0.0.1:1', '--host', '203.0.113.1'], 'it cannot listen on port 0 of 203.0.113.1 (EADDRNOTAVAIL)'],
    [['http://127.0.0.1:1', '--ca', '/no/such/file'], 'ca: /no/such/file cannot be read (ENOENT)'],
  ])('refuses %j', async (words, message) => {
    const { code, err } = await calling(['watch', ...words]);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
