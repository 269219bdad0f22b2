import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { User } from '../../reference-server/index.js';
import { type Args, CallError } from './command.js';
import type { Io } from './io.js';

/** Users of a call: from options, from a file, or from the environment, so that no secret need stand in a process list. */
export function givenUsers(args: Args, io: Pick<Io, 'env' | 'cwd'>): string[] {
  const file = args.text('users-file');
  const named = [...args.texts('user'), ...(file === undefined ? [] : lines(read(resolve(io.cwd, file), file)))];
  return named.length > 0 ? named : lines(io.env['HYDRAUTH_USERS'] ?? '');
}

/** A user of the reference server. The paraphrase is never repeated in a complaint. */
export function readUser(text: string): User {
  const [, id = '', paraphrase] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  const expected = 'ID:PARAPHRASE with an integer as id is allowed';
  if (paraphrase === undefined) throw new CallError(`a user has no colon; ${expected}`);
  if (!/^(?:0|-?[1-9][0-9]*)$/.test(id) || !Number.isSafeInteger(Number(id)))
    throw new CallError(`a user has the id ${JSON.stringify(id)}; ${expected}`);
  if (paraphrase === '') throw new CallError(`user ${id} has no paraphrase; ${expected}`);
  return { id: Number(id), paraphrase };
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
