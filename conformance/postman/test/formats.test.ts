import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../fixtures/test/needs.js';
import { spec } from '../../../spec/index.js';
import { brunoFiles, hurlText } from '../index.js';
import { startTinyServer, tinyUser } from './tiny-server.js';
import type { Trait } from './tiny-traits.js';

const folder = mkdtempSync(join(tmpdir(), 'hydrauth-formats-'));
beforeAll(() => {
  writeFileSync(join(folder, 'hydrauth.hurl'), hurlText(spec));
  for (const [path, text] of brunoFiles(spec)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Whether a runner found nothing wrong with a server. */
async function passes(program: string, args: readonly string[], option: string, traits: readonly Trait[]): Promise<boolean> {
  const server = await startTinyServer(...traits);
  const { id: user_id, paraphrase } = tinyUser;
  const given = { base_url: server.baseUrl, clock_url: server.clockUrl, collection: 'things', user_id, paraphrase, no_clock: 'false' };
  const words = [...args, ...Object.entries(given).flatMap(([name, value]) => [option, `${name}=${value}`])];
  return new Promise<boolean>((resolve) => {
    execFile(program, words, { cwd: folder, maxBuffer: 2 ** 26 }, (error) => resolve(error === null));
  }).finally(() => server.close());
}

const conformant: Trait[][] = [
  [],
  ['relative-link', 'with-parameters', 'refuses-403', 'nonces-reusable'],
  ['refuses-500', 'nonce-everywhere'],
];
/** Each is also found by Newman, see run.test.ts. */
const broken: Trait[] = [
  'challenge-403 no-nonce plain-nonce same-nonce other-realm other-message html-challenge plain-json other-link',
  'no-allow-origin echo-origin chunked no-date odd-date exchange-201 no-token base64-token same-token',
  'no-nonce-needed no-credentials-needed any-nonce any-paraphrase any-user exchange-message single-use-token',
  'token-for-collection-only no-vocabulary last-login-only prefix-token any-token half-lifetime never-expires',
  'sliding open-vocabulary open-404 open-delete',
].flatMap((names) => names.split(' '));

const hurl = needs('hurl');
describe.skipIf(hurl.skip)(`the file for Hurl${hurl.note}`, () => {
  const run = (traits: readonly Trait[]) => passes(hurl.path, ['--test', '--continue-on-error', 'hydrauth.hurl'], '--variable', traits);
  test.each(conformant.map((traits) => [traits]))('passes a conformant server: %j', async (traits) => expect(await run(traits)).toBe(true));
  test.each(broken)('fails a server with %s', async (trait) => expect(await run([trait])).toBe(false));
});

const bru = needs('bru');
describe.skipIf(bru.skip)(`the collection for Bruno${bru.note}`, { timeout: 600_000 }, () => {
  const args = ['run', '-r', '--disable-cookies', '--sandbox', 'developer', '--env', 'target'];
  const run = (traits: readonly Trait[]) => passes(bru.path, args, '--env-var', traits);
  test.each(conformant.map((traits) => [traits]))('passes a conformant server: %j', async (traits) => expect(await run(traits)).toBe(true));
  test.each(broken)('fails a server with %s', async (trait) => expect(await run([trait])).toBe(false));
});
