import type { ReferenceServerOptions } from '../../reference-server/index.js';
import { type Args, CallError, type Option } from './command.js';
import { nearWords } from './nearest.js';

/** A reference server that is broken or different in named things. */
export const fixtureOptions: readonly Option[] = [
  { name: 'fault', value: 'ID', many: true, text: 'Break the server in these named things; several add up.' },
  {
    name: 'variant',
    value: 'ID',
    many: true,
    text: 'Let the server differ in these things that the protocol leaves open. Variants are applied before faults, each in the order given.',
  },
];

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
