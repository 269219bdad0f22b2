import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultUsers, startReferenceServer } from '../../../reference-server/index.js';
import { loadSpec, packageFile, type Spec, spec } from '../../../spec/index.js';
import { postmanCollectionText } from '../index.js';
import { startTinyServer, tinyUser } from './tiny-server.js';
import type { Trait } from './tiny-traits.js';

/** The collection alone, as somebody without the kit runs it: the command line of Newman and nothing else. */
async function newman(
  collection: string,
  variables: Readonly<Record<string, string>>,
): Promise<{ code: number; lines: string[]; failed: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'hydrauth-'));
  await writeFile(join(folder, 'hydrauth.json'), collection);
  const given = Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
  const words = [
    packageFile('node_modules', 'newman', 'bin', 'newman.js'),
    'run',
    join(folder, 'hydrauth.json'),
    '--color',
    'off',
    ...given,
  ];
  const { code, out } = await new Promise<{ code: number; out: string }>((resolve) => {
    execFile(process.execPath, words, (error, out) => resolve({ code: error === null ? 0 : Number(error.code), out }));
  });
  await rm(folder, { recursive: true });
  const lines = out.split('\n').map((line) => line.trim());
  const failed = new Set(lines.flatMap((line) => /^[0-9]+\. +([a-z]+\.[a-z-]+): /.exec(line)?.[1] ?? []));
  return { code, lines, failed: [...failed].sort() };
}

describe('plain newman run', () => {
  async function onTiny(traits: Trait[], withClock: boolean) {
    const server = await startTinyServer(...traits);
    const { id: user_id, paraphrase } = tinyUser;
    const variables = { base_url: `${server.baseUrl}/`, collection: 'things', user_id, paraphrase };
    const clock = withClock ? { clock_url: server.clockUrl } : {};
    return newman(postmanCollectionText(spec), { ...variables, ...clock }).finally(() => server.close());
  }
  const skipped = (lines: string[]) => lines.filter((line) => line.includes('[skipped]'));

  test('is green on a conformant server, expiry included', async () => {
    const { code, lines } = await onTiny([], true);
    expect(skipped(lines)).toEqual([]);
    expect(lines.filter((line) => line.includes('✓  expiry.'))).toHaveLength(4);
    expect(code).toBe(0);
  });

  test('skips expiry visibly without a clock', async () => {
    const { code, lines } = await onTiny([], false);
    expect(code).toBe(0);
    expect(skipped(lines)).toHaveLength(4);
    for (const line of skipped(lines)) expect(line).toMatch(/expiry\..*\[untested: the variable clock_url is not set/);
    expect(lines.filter((line) => line.includes('✓  expiry.'))).toEqual([]);
  });

  test('is red with the requirements that are violated, and no others', async () => {
    const { code, failed } = await onTiny(['other-message', 'exchange-message', 'prefix-token', 'open-vocabulary', 'sliding'], true);
    expect(code).toBe(1);
    expect(failed).toEqual(['challenge.body', 'exchange.body', 'expiry.not-sliding', 'protection.vocabulary', 'token.unknown-refused']);
  });
});

describe('the collection of a profile', () => {
  const profile = loadSpec(packageFile('spec', 'example.overlay.yaml'));
  const on = async (followed: Spec) => {
    await using server = await startReferenceServer({ spec: followed, clock: 'manual' });
    const [user] = defaultUsers;
    const login = { user_id: String(user?.id), paraphrase: String(user?.paraphrase) };
    const variables = { base_url: server.url, collection: String(server.collections[0]), clock_url: String(server.clockUrl), ...login };
    return await newman(postmanCollectionText(profile), variables);
  };

  test('passes a server of that profile', async () => {
    expect(await on(profile)).toMatchObject({ code: 0, failed: [] });
  });
});
