import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { About } from '../../oracle/index.js';
import { catalogue, contradiction, explain, fail } from './explaining.js';

const abouts = ['stranger', 'login', 'wrong-login', 'wrong-nonce', 'valid-token', 'expired-token', 'unknown-token'] as const;
const row = fc.constantFrom(...catalogue.requirements.map(({ id }) => id));
const claims = fc.array(
  fc.constantFrom<[string, About][]>(
    ['exchange.status', 'login'],
    ['token.sufficient', 'valid-token'],
    ['token.reusable', 'valid-token'],
    ['expiry.refused-after', 'expired-token'],
    ['token.unknown-refused', 'unknown-token'],
    ['protection.collections', 'stranger'],
    ['protection.queries', 'stranger'],
  ),
);
const found = fc.array(
  fc.record({
    requirement: row,
    doubt: fc.constantFrom(undefined, 'beside others' as const, 'not again' as const, 'other causes' as const),
    about: fc.constantFrom(undefined, ...abouts),
  }),
  { maxLength: 8 },
);

test('nothing seen is lost: everything is told, or listed under what is told', () => {
  fc.assert(
    fc.property(found, claims, (made, seen) => {
      const given = made.map(({ requirement, doubt, about }, index) =>
        fail(requirement, {
          check: `check ${index}`,
          ...(doubt === undefined ? {} : { doubt }),
          ...(about === undefined ? {} : { about }),
        }),
      );
      const told = explain(
        given,
        seen.map(([requirement, about]) => contradiction(requirement, about)),
      );
      const listed = told.flatMap(({ outcome, explains }) => (outcome === 'fail' ? (explains ?? []) : []));
      for (const { check } of given) {
        const isTold = told.some((each) => each.check === check && each.outcome === 'fail');
        expect(isTold || listed.some(({ what }) => what === `${check}: b`)).toBe(true);
      }
      const ofOracle = told.filter(({ check }) => check.endsWith('/oracle'));
      const counted = listed.filter(({ what }) => what.startsWith('what ')).reduce((sum, { count }) => sum + count, 0);
      const own = ofOracle.reduce((sum, { requirement }) => sum + seen.filter(([id]) => id === requirement).length, 0);
      expect(counted + own).toBe(seen.length);
    }),
    { seed: 11, numRuns: 300 },
  );
});
