import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../../../spec/index.js';
import { listening } from '../../../spec/test/listening.js';
import { command } from '../../test/command.js';
import { kitVersion } from '../../version.js';
import { running } from './calling.js';

describe('the process', () => {
  test('ends with the exit code of the call and writes where it belongs', async () => {
    const [fine, wrong] = await Promise.all([running(['--version']), running(['nonsense'])]);
    expect(fine).toEqual({ code: 0, out: `${kitVersion()}\n`, err: '' });
    expect([wrong.code, wrong.out]).toEqual([2, '']);
    expect(wrong.err).toContain('there is no command nonsense');
  });

  test('writes all of a long output into a pipe', async () => {
    const { code, out } = await running(['requirements', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toHaveProperty('requirements');
  });

  test('does not mind a reader that goes away', async () => {
    const [program, ...start] = command;
    const child = spawn(program, [...start, 'requirements', '--json'], { cwd: packageFile(), stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
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
    const [program, ...start] = command;
    const child = spawn(program, [...start, 'check', service.url, '--collection', 'a', '--user', '1:x', '--engine', 'laws'], {
      cwd: packageFile(),
      stdio: 'ignore',
    });
    await once(silent, 'connection');
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([code, null]);
  });
});

test.each(['SIGINT', 'SIGTERM'] as const)('hydrauth serve says in one line where it listens, and ends cleanly on %s', async (signal) => {
  const [program, ...start] = command;
  const words = ['serve', '--port', '0', '--clock', 'manual', '--json', '--collection', 'a', 'b', '--user', '5:x'];
  const child = spawn(program, [...start, ...words], { cwd: packageFile(), stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const { url, clock, ...rest } = JSON.parse(line) as Record<string, unknown>;
  expect(rest).toEqual({ collections: ['a', 'b'], users: [5] });
  expect((await fetch(`${url}/a`)).status).toBe(401);
  expect(await (await fetch(String(clock))).json()).toHaveProperty('now');
  child.kill(signal);
  expect(await once(child, 'close')).toEqual([0, null]);
});

/** Files that are loaded whenever the command starts: what `main.ts` imports, and what that imports. */
function loadedAtStart(file: string, found = new Set<string>()): Set<string> {
  const shown = relative(packageFile(), file);
  if (found.has(shown)) return found;
  found.add(shown);
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ESNext, true);
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    if (ts.isImportDeclaration(statement) && statement.importClause?.isTypeOnly) continue;
    const name = statement.moduleSpecifier === undefined ? '' : (statement.moduleSpecifier as ts.StringLiteral).text;
    if (name.startsWith('.')) loadedAtStart(join(file, '..', name.replace(/\.js$/, '.ts')), found);
    else if (name !== '') found.add(name);
  }
  return found;
}

test('starts fast: the help needs nothing but Node and the command line itself', () => {
  const loaded = [...loadedAtStart(packageFile('conformance', 'cli', 'process.ts'))];
  expect(loaded).toContain(join('conformance', 'cli', 'commands', 'check.ts'));
  expect(
    loaded.filter((each) => !/^node:|^conformance.(cli.|(option-table|version)\.ts)|^spec.(nearest|read-given)\.ts/.test(each)),
  ).toEqual([]);
});
