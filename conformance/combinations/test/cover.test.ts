import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cover, type Factors, randomNumbers } from '../cover.js';

type Value = readonly [factor: number, value: number];

/** Every tuple of values of different factors whose pairs may all stand together. */
function allowedTuples({ sizes, allows }: Factors, strength: number, before: readonly Value[] = []): string[] {
  if (strength === 0) return [before.join(' ')];
  const from = (before.at(-1)?.[0] ?? -1) + 1;
  return sizes.flatMap((size, factor) =>
    factor < from
      ? []
      : Array.from({ length: size }, (_, value) => value)
          .filter((value) => before.every(([other, otherValue]) => allows(factor, value, other, otherValue)))
          .flatMap((value) => allowedTuples({ sizes, allows }, strength - 1, [...before, [factor, value]])),
  );
}

function tuplesIn(row: readonly number[], strength: number, before: readonly Value[] = []): string[] {
  if (strength === 0) return [before.join(' ')];
  const from = (before.at(-1)?.[0] ?? -1) + 1;
  return row.flatMap((value, factor) => (factor < from ? [] : tuplesIn(row, strength - 1, [...before, [factor, value]])));
}

/** Factors of which some pairs may not stand together; the plain value, number 0, may stand with all. */
const factors = fc
  .record({ sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 3, maxLength: 6 }), salt: fc.nat(), forbidden: fc.nat(60) })
  .map(({ sizes, salt, forbidden }): Factors => {
    const isForbidden = (key: number) => randomNumbers(salt + key)() * 100 < forbidden;
    return {
      sizes,
      allows: (factor, value, other, otherValue) => {
        if (value === 0 || otherValue === 0) return true;
        const [low, high] = [factor * 10 + value, other * 10 + otherValue].sort((a, b) => a - b) as [number, number];
        return !isForbidden(low * 1000 + high);
      },
    };
  });

test.each([2, 3] as const)('covers exactly what may stand together, at strength %i', (strength) => {
  fc.assert(
    fc.property(factors, fc.nat(), (given, seed) => {
      const { rows, tuples } = cover(given, strength, seed);
      const covered = new Set(rows.flatMap((row) => tuplesIn(row, strength)));
      expect([...covered].sort()).toEqual(allowedTuples(given, strength).sort());
      expect(tuples).toBe(covered.size);
      for (const row of rows) expect(row).toHaveLength(given.sizes.length);
    }),
    { seed: 7, numRuns: 50 },
  );
});

test('begins with the rows given, and does not cover again what they cover', () => {
  const free: Factors = { sizes: [3, 3, 3], allows: () => true };
  const first = [0, 1, 2].flatMap((one) => [0, 1, 2].map((other) => [one, other, (one + other) % 3]));
  expect(cover(free, 2, 1, first)).toEqual({ rows: first, tuples: 27 });
  const { rows } = cover(free, 2, 1, first.slice(0, 4));
  expect(rows.slice(0, 4)).toEqual(first.slice(0, 4));
  expect(new Set(rows.flatMap((row) => tuplesIn(row, 2))).size).toBe(27);
});

test('has few more rows than the two largest factors make together', () => {
  const { rows } = cover({ sizes: [6, 6, 6, 6, 6, 6], allows: () => true }, 2, 1);
  expect(rows.length).toBeLessThan(2 * 36);
});
