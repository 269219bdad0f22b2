import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSpec, packageFile, spec } from '../../../spec/index.js';
import { scratch } from '../../../spec/test/scratch.js';
import { serving } from '../../test/seen/judging.js';
import { postmanCollectionText } from '../index.js';
import { options, user } from './running.js';

/** The collection alone, as somebody without the kit runs it: the command line of Newman and nothing else. */
async function newman(
  collection: string,
  variables: Readonly<Record<string, string>>,
): Promise<{ code: number; lines: string[]; failed: string[] }> {
  const folder = scratch();
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
  const lines = out.split('\n').map((line) => line.trim());
  const failed = new Set(lines.flatMap((line) => /^[0-9]+\. +([a-z]+\.[a-z-]+): /.exec(line)?.[1] ?? []));
  return { code, lines, failed: [...failed].sort() };
}

describe('plain newman run', () => {
  async function on(faults: string[], withClock: boolean) {
    const server = await serving(faults, options);
    const variables = { base_url: `${server.url}/`, collection: 'books', user_id: user.id, paraphrase: user.paraphrase };
    return newman(postmanCollectionText(spec), { ...variables, ...(withClock ? { clock_url: String(server.clockUrl) } : {}) });
  }
  const skipped = (lines: string[]) => lines.filter((line) => line.includes('[skipped]'));

  test('is green on a conformant server, expiry included', async () => {
    const { code, lines } = await on([], true);
    expect(skipped(lines)).toEqual([]);
    expect(lines.filter((line) => line.includes('✓  expiry.'))).toHaveLength(4);
    expect(code).toBe(0);
  });

  test('skips expiry visibly without a clock', async () => {
    const { code, lines } = await on([], false);
    expect(code).toBe(0);
    expect(skipped(lines)).toHaveLength(4);
    for (const line of skipped(lines)) expect(line).toMatch(/expiry\..*\[untested: the variable clock_url is not set/);
    expect(lines.filter((line) => line.includes('✓  expiry.'))).toEqual([]);
  });

  test('is red with the requirements that are violated, and no others', async () => {
    const { code, failed } = await on(
      ['challenge-other-text', 'exchange-other-text', 'vocabulary-open', 'sliding', 'token-with-a-tail'],
      true,
    );
    expect(code).toBe(1);
    expect(failed).toEqual(['challenge.body', 'exchange.body', 'expiry.not-sliding', 'protection.vocabulary', 'token.unknown-refused']);
  });
});

describe('the collection of a profile', () => {
  const profile = loadSpec(packageFile('spec', 'example.overlay.yaml'));
  test('passes a server of that profile', async () => {
    const server = await serving([], { ...options, spec: profile });
    const variables = {
      base_url: server.url,
      collection: 'books',
      clock_url: String(server.clockUrl),
      user_id: user.id,
      paraphrase: user.paraphrase,
    };
    expect(await newman(postmanCollectionText(profile), variables)).toMatchObject({ code: 0, failed: [] });
  });
});
