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
async function newman(faults: string[], withClock: boolean, given = spec) {
  const server = await serving(faults, { ...options, spec: given });
  const file = join(scratch(), 'hydrauth.json');
  await writeFile(file, postmanCollectionText(given));
  const variables = { base_url: `${server.url}/`, collection: 'books', user_id: user.id, paraphrase: user.paraphrase };
  const told = Object.entries({ ...variables, ...(withClock ? { clock_url: String(server.clockUrl) } : {}) });
  const words = [packageFile('node_modules', 'newman', 'bin', 'newman.js'), 'run', file, '--color', 'off'];
  for (const [name, value] of told) words.push('--env-var', `${name}=${value}`);
  const { code, out } = await new Promise<{ code: number; out: string }>((resolve) => {
    execFile(process.execPath, words, (error, out) => resolve({ code: error === null ? 0 : Number(error.code), out }));
  });
  const lines = out.split('\n').map((line) => line.trim());
  const failed = new Set(lines.flatMap((line) => /^[0-9]+\. +([a-z]+\.[a-z-]+): /.exec(line)?.[1] ?? []));
  const passed = lines.filter((line) => line.includes('✓  expiry.'));
  return { code, failed: [...failed].sort(), passed, skipped: lines.filter((line) => line.includes('[skipped]')) };
}

describe('plain newman run', () => {
  // On the usual profile docs/test/guides.test.ts runs it so.
  test('is green on a conformant server of a profile, expiry included', async () => {
    const { passed, ...others } = await newman([], true, loadSpec(packageFile('spec', 'example.overlay.yaml')));
    expect(others).toEqual({ code: 0, failed: [], skipped: [] });
    expect(passed).toHaveLength(4);
  });

  test('is red with the requirements that are violated and no others, and skips expiry visibly without a clock', async () => {
    const faults = ['challenge-other-text', 'exchange-other-text', 'vocabulary-open', 'token-with-a-tail'];
    const { skipped, ...others } = await newman(faults, false);
    const failed = ['challenge.body', 'exchange.body', 'protection.vocabulary', 'token.unknown-refused'];
    expect(others).toEqual({ code: 1, failed, passed: [] });
    expect(skipped.filter((line) => /expiry\..*\[untested: the variable clock_url is not set/.test(line))).toHaveLength(4);
  });
});
