import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { User } from '../../reference-server/index.js';
import { type Args, CallError } from './command.js';
import type { Io } from './io.js';

/** Users of a call: from options, from a file, or from the environment, so that no secret need stand in a process list. */
export function givenUsers(args: Args, io: Pick<Io, 'env' | 'cwd'>): string[] {
  const file = args.text('users-file');
  const inFile = file === undefined ? [] : lines(read(resolve(io.cwd, file), file), `--users-file ${file}`);
  const named = [...args.texts('user'), ...inFile];
  return named.length > 0 ? named : lines(io.env['HYDRAUTH_USERS'] ?? '', 'HYDRAUTH_USERS');
}

const expected = 'ID:PARAPHRASE with an integer as id is expected';

/** A user of the reference server. The paraphrase is never repeated in a complaint. */
export function readUser(text: string): User {
  const { id, paraphrase } = partsOf(text);
  if (!Number.isSafeInteger(Number(id))) throw new CallError(`the id ${id} is too large for the reference server; ${expected}`);
  return { id: Number(id), paraphrase };
}

function partsOf(text: string): { id: string; paraphrase: string } {
  const [, id = '', paraphrase] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (paraphrase === undefined) throw new CallError(`a user has no colon; ${expected}`);
  if (!/^(?:0|-?[1-9][0-9]*)$/.test(id)) throw new CallError(`a user has the id ${JSON.stringify(id)}; ${expected}`);
  if (paraphrase === '') throw new CallError(`user ${id} has no paraphrase; ${expected}`);
  return { id, paraphrase };
}

/** The users in a text, one a line, with empty lines and comments left out. A mistake is told with its line. */
function lines(text: string, source: string): string[] {
  const places = new Map<string, number>();
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const fail = (problem: string) => new CallError(`${source}, line ${index + 1}: ${problem}`);
    let id: string;
    try {
      ({ id } = partsOf(line));
    } catch (error) {
      throw fail((error as Error).message);
    }
    const earlier = places.get(id);
    if (earlier !== undefined) throw fail(`user ${id} stands in line ${earlier} already`);
    places.set(id, index + 1);
    return [line];
  });
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
