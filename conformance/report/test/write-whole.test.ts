import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratch } from '../../../spec/test/scratch.js';
import { writeWhole } from '../index.js';

const folder = scratch();
const modeOf = (file: string) => statSync(file).mode & 0o777;

test('a file that cannot be written whole leaves the one that was there, and nothing else', () => {
  const file = join(folder, 'report.json');
  writeWhole(file, 'good');
  mkdirSync(join(folder, 'taken', 'inside'), { recursive: true });
  expect(() => writeWhole(join(folder, 'taken'), 'x')).toThrow();
  // A disk that fills up fails as this does: before the new file is whole.
  symlinkSync('/dev/full', join(folder, `.report.json.${process.pid}.tmp`));
  expect(() => writeWhole(file, 'half')).toThrow();
  expect(readFileSync(file, 'utf8')).toBe('good');
  expect(readdirSync(folder).sort()).toEqual(['report.json', 'taken']);
});

test('a new file has the mode asked for, an existing one keeps its own, and a link leads to its file', () => {
  const [secret, shared, link] = ['secret', 'shared', 'link'].map((name) => join(folder, name)) as [string, string, string];
  writeWhole(secret, 'x', 0o600);
  expect(modeOf(secret)).toBe(0o600);
  writeFileSync(shared, 'old');
  chmodSync(shared, 0o640);
  symlinkSync(shared, link);
  writeWhole(link, 'new');
  expect([readFileSync(shared, 'utf8'), modeOf(shared)]).toEqual(['new', 0o640]);
});

test('what is no file is written to as it is', () => {
  expect(() => writeWhole('/dev/null', 'x')).not.toThrow();
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});
