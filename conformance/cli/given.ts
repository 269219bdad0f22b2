import { resolve } from 'node:path';
import type { ReferenceServerOptions, User } from '../../reference-server/index.js';
import { loadSpec, nearWords, readGiven, type Spec, spec } from '../../spec/index.js';
import { type Args, CallError } from './command.js';
import type { Io } from './io.js';

/** The file of the profile, if one is given. */
export function specFile(args: Args, { cwd }: Io): string | undefined {
  const file = args.text('spec');
  return file === undefined ? undefined : resolve(cwd, file);
}

/** The profile of the call; what is wrong with it is told before anything starts. */
export function givenSpec(args: Args, io: Io): Spec {
  const file = specFile(args, io);
  return file === undefined ? spec : loadSpec(file);
}

/** The options of the server that the call asks for, and the words that say how it differs from the reference server. */
export async function withFixtures(args: Args, base: ReferenceServerOptions) {
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

export function givenUsers(args: Args, { cwd, env }: Io): string[] {
  const file = args.text('users-file');
  const named = [...args.texts('user'), ...(file === undefined ? [] : usersIn(file, cwd))];
  return named.length > 0 ? named : lines(env['HYDRAUTH_USERS'] ?? '', 'HYDRAUTH_USERS');
}

function usersIn(file: string, cwd: string): string[] {
  const option = `--users-file ${file}`;
  const refuse = (code: string) => new CallError(`${option} cannot be read (${code}); a file with one ID:PARAPHRASE a line is expected`);
  return lines(readGiven(resolve(cwd, file), refuse), option);
}

/** The users in a text, one a line, with empty lines and comments left out. A mistake is told with its line. */
function lines(text: string, source: string): string[] {
  const places = new Map<string, number>();
  return text.split(/\r?\n/).filter((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return false;
    try {
      const { id } = partsOf(line);
      if (places.has(id)) throw new CallError(`user ${id} stands in line ${places.get(id)} already`);
      places.set(id, index + 1);
      return true;
    } catch (error) {
      throw new CallError(`${source}, line ${index + 1}: ${(error as Error).message}`);
    }
  });
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
  if (!/^(?:0|-?[1-9][0-9]*)$/.test(id)) throw new CallError(`the id of a user is no number; ${expected}`);
  if (paraphrase === '') throw new CallError(`user ${id} has no paraphrase; ${expected}`);
  return { id, paraphrase };
}
