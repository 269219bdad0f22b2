import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageFile, spec } from '../../../spec/index.js';
import { postmanCollectionText } from '../index.js';
import { startTinyServer, tinyUser } from './tiny-server.js';
import type { Trait } from './tiny-traits.js';

/** The collection alone, as somebody without the kit runs it: the command line of Newman and nothing else. */
describe('plain newman run', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hydrauth-'));
    await writeFile(join(folder, 'hydrauth.json'), postmanCollectionText(spec));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function newman(traits: Trait[], withClock: boolean): Promise<{ code: number; lines: string[] }> {
    const server = await startTinyServer(...traits);
    const variables = { base_url: `${server.baseUrl}/`, collection: 'things', user_id: tinyUser.id, paraphrase: tinyUser.paraphrase };
    const given = Object.entries(withClock ? { ...variables, clock_url: server.clockUrl } : variables);
    const args = [
      'run',
      join(folder, 'hydrauth.json'),
      '--color',
      'off',
      ...given.flatMap(([name, value]) => ['--env-var', `${name}=${value}`]),
    ];
    try {
      return await new Promise((resolve) => {
        execFile(process.execPath, [packageFile('node_modules', 'newman', 'bin', 'newman.js'), ...args], (error, stdout) =>
          resolve({ code: error === null ? 0 : Number(error.code), lines: stdout.split('\n').map((line) => line.trim()) }),
        );
      });
    } finally {
      await server.close();
    }
  }
  const skipped = (lines: string[]) => lines.filter((line) => line.includes('[skipped]'));

  test('is green on a conformant server, expiry included', async () => {
    const { code, lines } = await newman([], true);
    expect(skipped(lines)).toEqual([]);
    expect(lines.filter((line) => line.includes('✓  expiry.'))).toHaveLength(4);
    expect(code).toBe(0);
  });

  test('skips expiry visibly without a clock', async () => {
    const { code, lines } = await newman([], false);
    expect(code).toBe(0);
    expect(skipped(lines)).toHaveLength(4);
    for (const line of skipped(lines)) expect(line).toMatch(/expiry\..*\[untested: the variable clock_url is not set/);
    expect(lines.filter((line) => line.includes('✓  expiry.'))).toEqual([]);
  });

  test('is red with the requirements that are violated, and no others', async () => {
    const { code, lines } = await newman(['other-message', 'exchange-message', 'prefix-token', 'open-vocabulary', 'sliding'], true);
    expect(code).toBe(1);
    const failed = lines.flatMap((line) => /^[0-9]+\. +([a-z]+\.[a-z-]+): /.exec(line)?.[1] ?? []);
    expect([...new Set(failed)].sort()).toEqual([
      'challenge.body',
      'exchange.body',
      'expiry.not-sliding',
      'protection.vocabulary',
      'token.unknown-refused',
    ]);
  });

  test('is red, and skips what it could not see, when nothing answers', async () => {
    const { code, lines } = await newman(['hang-up'], false);
    expect(code).toBe(1);
    expect(lines.filter((line) => line.startsWith('✓'))).toEqual([]);
    expect(skipped(lines).length).toBeGreaterThan(50);
  });
});
