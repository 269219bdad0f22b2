import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../../../spec/index.js';
import { listening } from '../../../spec/test/listening.js';
import { kitVersion } from '../../version.js';
import { started } from './calling.js';

describe('the process', () => {
  test('ends with the exit code of the call and writes where it belongs', async () => {
    const [fine, wrong] = await Promise.all([started(['--version']).ended, started(['nonsense']).ended]);
    expect(fine).toEqual({ code: 0, out: `${kitVersion()}\n`, err: '' });
    expect([wrong.code, wrong.out]).toEqual([2, '']);
    expect(wrong.err).toContain('there is no command nonsense');
  });

  test('writes all of a long output into a pipe', async () => {
    const { code, out } = await started(['requirements', '--json']).ended;
    expect(code).toBe(0);
    expect(JSON.parse(out)).toHaveProperty('requirements');
  });

  test('does not mind a reader that goes away', async () => {
    const { child, ended } = started(['requirements', '--json']);
    child.stdout?.destroy();
    const { code, err } = await ended;
    expect([code, err]).toEqual([0, '']);
  });
});

describe('a signal', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends a check that waits for an answer, with %i', async (signal, code) => {
    const silent = createServer();
    await using service = await listening(silent);
    const { child, ended } = started(['check', service.url, '--collection', 'a', '--user', '1:x', '--engine', 'laws']);
    await once(silent, 'connection');
    child.kill(signal);
    expect(await ended).toMatchObject({ code });
  });
});

/** Files that are loaded whenever the command starts: what `main.ts` imports, and what that imports. */
function loadedAtStart(file: string, found = new Set<string>()): Set<string> {
  const shown = relative(packageFile(), file);
  if (found.has(shown)) return found;
  found.add(shown);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )(?:[^;]*? from )?'(.+)';$/gm)) {
    if (name.startsWith('.')) loadedAtStart(join(file, '..', name.replace(/\.js$/, '.ts')), found);
    else found.add(name);
  }
  return found;
}

test('starts fast: the help needs nothing but Node and the command line itself', () => {
  const loaded = [...loadedAtStart(packageFile('conformance', 'cli', 'process.ts'))];
  expect(loaded).toContain(join('conformance', 'cli', 'commands.ts'));
  expect(
    loaded.filter((each) => !/^node:|^conformance.(cli.|(option-table|version)\.ts)|^spec.(nearest|read-given|wrap)\.ts/.test(each)),
  ).toEqual([]);
});
