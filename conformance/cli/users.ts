import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CallError } from './command.js';
import type { Io } from './io.js';

/** Users of a call: from options, from a file, or from the environment, so that no secret need stand in a process list. */
export function givenUsers(given: readonly string[], file: string | undefined, io: Pick<Io, 'env' | 'cwd'>): string[] {
  const fromFile = file === undefined ? [] : lines(read(resolve(io.cwd, file), file));
  const named = [...given, ...fromFile];
  return named.length > 0 ? named : lines(io.env['HYDRAUTH_USERS'] ?? '');
}

function lines(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

function read(path: string, file: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CallError(
      `--users-file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}); a file with one ID:PARAPHRASE a line is expected`,
    );
  }
}
