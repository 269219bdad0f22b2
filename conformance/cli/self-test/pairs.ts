import fc from 'fast-check';
import { faults, variants } from '../../../fixtures/index.js';
import { createReferenceServer, type Parts, type PartsContext } from '../../../reference-server/index.js';
import type { Spec } from '../../../spec/index.js';
import type { Specimen } from '../../self-test/index.js';
import { type Fixture, pairOf } from './specimens.js';

/**
 * So many pairs of faults, and of a variant and a fault, drawn by the seed. The two of a pair replace different functions of the server.
 * With `only`, each pair has one of these.
 */
export function drawPairs(count: number, seed: number, only: readonly string[], spec?: Spec): Specimen[] {
  const replaced = replacedFunctions();
  const disjoint = (one: Fixture, other: Fixture) => {
    const [left, right] = [replaced.get(one), replaced.get(other)];
    return left !== undefined && right !== undefined && !left.some((name) => right.includes(name));
  };
  const pairs = faults.flatMap((fault, at) =>
    [...variants, ...faults.slice(0, at)]
      .filter((other) => disjoint(other, fault))
      .filter((other) => only.length === 0 || only.includes(fault.id) || only.includes(other.id))
      .map((other) => [other, fault] as const),
  );
  const length = Math.min(count, pairs.length);
  const [drawn = []] = fc.sample(fc.shuffledSubarray(pairs, { minLength: length, maxLength: length }), { seed, numRuns: 1 });
  return drawn.map(([other, fault]) => pairOf(other, fault, spec));
}

/** The functions of the parts that each fixture replaces. Those that change settings of the server are left out: they go with no other. */
export function replacedFunctions(): ReadonlyMap<Fixture, readonly string[]> {
  let given: [Parts, PartsContext] | undefined;
  createReferenceServer({
    parts(parts, context) {
      given = [parts, context];
      return parts;
    },
  });
  const [original, context] = given as unknown as [Parts, PartsContext];
  const changes = [...faults, ...variants].flatMap((fixture) => {
    const { parts: change, ...settings } = fixture.options({});
    const names = change === undefined ? [] : differences(original, change(original, context));
    return names.length === 0 || Object.keys(settings).length > 0 ? [] : [[fixture, names] as const];
  });
  return new Map(changes);
}

function differences(original: Parts, changed: Parts): string[] {
  return (Object.keys(original) as (keyof Parts)[]).flatMap((part) => {
    const [before, after] = [original[part], changed[part]] as unknown as Record<string, unknown>[];
    const names = Object.keys({ ...before, ...after });
    return names.filter((name) => before?.[name] !== after?.[name]).map((name) => `${part}.${name}`);
  });
}
