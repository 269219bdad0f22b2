import { resolve } from 'node:path';
import type { ReferenceServerOptions, User } from '../../reference-server/index.js';
import type { Spec } from '../../spec/index.js';
import { nearWords } from '../../spec/nearest.js';
import { readGiven } from '../../spec/read-given.js';
import { type Args, CallError } from './command.js';
import type { Io } from './io.js';

/** The file of the profile, if one is given. */
export function specFile(args: Pick<Args, 'text'>, { cwd }: Pick<Io, 'cwd'>): string | undefined {
  const file = args.text('spec');
  return file === undefined ? undefined : resolve(cwd, file);
}

/** The profile of the call; what is wrong with it is told before anything starts. */
export async function givenSpec(args: Pick<Args, 'text'>, io: Pick<Io, 'cwd'>): Promise<Spec> {
  const { loadSpec, spec } = await import('../../spec/index.js');
  const file = specFile(args, io);
  return file === undefined ? spec : loadSpec(file);
}

/** The options of the server that the call asks for, and the words that say how it differs from the reference server. */
export async function withFixtures(
  args: Args,
  base: ReferenceServerOptions,
): Promise<{ readonly options: ReferenceServerOptions; readonly differs: string }> {
  const ids = { fault: args.texts('fault'), variant: args.texts('variant') };
  if (ids.fault.length + ids.variant.length === 0) return { options: base, differs: '' };
  const { applyFixtures, faults, variants } = await import('../../fixtures/index.js');
  const fixtures = [...pick('variant', ids.variant, variants), ...pick('fault', ids.fault, faults)];
  return { options: applyFixtures(fixtures, base), differs: fixtures.map(({ id, sentence }) => `${id}: ${sentence}\n`).join('') };
}

/** The members with these ids; an unknown id is a wrong call. */
export function pick<T extends { readonly id: string }>(
  kind: 'fault' | 'variant' | 'fault or variant',
  ids: readonly string[],
  all: readonly T[],
): T[] {
  return ids.map((id) => {
    const found = all.find((each) => each.id === id);
    if (found !== undefined) return found;
    const known = all.map((each) => each.id);
    const list = kind === 'fault or variant' ? 'hydrauth faults and hydrauth variants list' : `hydrauth ${kind}s lists`;
    throw new CallError(`there is no ${kind} ${JSON.stringify(id)}.${nearWords(id, known)} ${list} all ${known.length}.`);
  });
}

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
    return readGiven(path);
  } catch (error) {
    throw new CallError(
      `--users-file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}); a file with one ID:PARAPHRASE a line is expected`,
    );
  }
}
