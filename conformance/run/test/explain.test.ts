import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spec } from '../../../spec/index.js';
import type { Finding } from '../../finding.js';
import type { About, Contradiction, Ledger } from '../../ledger/index.js';
import { exchanged, protocol, read, refusal, resource } from '../../test/messages.js';
import { type Explaining, explainFindings } from '../explain.js';

const { catalogue } = spec;
const all = new Set(catalogue.requirements.map(({ id }) => id));

const fail = (requirement: string, more: Partial<Finding> = {}): Finding => ({
  requirement,
  check: requirement,
  engine: 'laws',
  outcome: 'fail',
  expected: 'a',
  actual: 'b',
  message: 'Expected: a. Got: b.',
  ...more,
});
const unsure = (requirement: string, more: Partial<Finding> = {}) => fail(requirement, { doubt: 'other causes', ...more });
const beside = (requirement: string, more: Partial<Finding> = {}) => fail(requirement, { doubt: 'beside others', ...more });

const contradiction = (requirement: string, about: About, must: 'granted' | 'refused' = 'granted'): Contradiction => {
  const exchange = exchanged(read(), must === 'granted' ? refusal : resource);
  return { claim: { requirement, about, must, what: `what ${about} asked` }, exchange, chain: [exchange] };
};

function explain(found: readonly Finding[], seen: readonly Contradiction[] = [], more: Partial<Explaining> = {}, of = 10): Finding[] {
  const ledger = { contradictions: () => seen, rate: () => ({ of, contradicted: seen.length }) } as unknown as Ledger;
  return explainFindings(found, { catalogue, protocol, ledger, selected: all, known: new Set(), ...more });
}

const failures = (findings: readonly Finding[]) =>
  findings.filter(({ outcome }) => outcome === 'fail').map(({ requirement }) => requirement);

test('what is sure is told as it is, and so is what passed', () => {
  const found: Finding[] = [fail('token.sufficient'), { requirement: 'token.reusable', check: 'x', engine: 'laws', outcome: 'pass' }];
  expect(explain(found)).toEqual(found);
});

test.each([
  ['the same row', 'token.independent', 'token.independent'],
  ['another MUST about the same asker', 'token.sufficient', 'token.independent'],
])('a doubtful failure is listed under %s', (_, sure, doubtful) => {
  expect(explain([fail(sure), unsure(doubtful, { check: 'the check' })])).toEqual([
    { ...fail(sure), explains: [{ what: 'the check: b', count: 1 }] },
    {
      requirement: doubtful,
      check: 'the check',
      engine: 'laws',
      outcome: 'untested',
      through: 'target',
      message: `what it saw is told by ${sure}`,
    },
  ]);
});

test('a doubtful failure is told where no failure is about the same asker', () => {
  expect(failures(explain([fail('protection.methods'), unsure('token.independent')]))).toEqual(['protection.methods', 'token.independent']);
});

test('whom a finding is about counts more than whom its row is about', () => {
  expect(failures(explain([fail('protection.methods'), unsure('protection.history', { about: 'stranger' })]))).toEqual([
    'protection.methods',
  ]);
  expect(failures(explain([fail('exchange.body', { about: 'login' }), unsure('exchange.status')]))).toEqual(['exchange.body']);
});

test('a warning explains no violation, and itself', () => {
  expect(failures(explain([fail('exchange.utf8')], [contradiction('exchange.status', 'login')]))).toEqual([
    'exchange.utf8',
    'exchange.status',
  ]);
  expect(failures(explain([fail('exchange.utf8'), unsure('exchange.utf8')]))).toEqual(['exchange.utf8']);
});

test('a row whose failure is known beforehand explains nothing but itself', () => {
  const known = { known: new Set(['exchange.any-user']) };
  const seen = [contradiction('exchange.status', 'login')];
  expect(failures(explain([fail('exchange.any-user')], seen))).toEqual(['exchange.any-user']);
  expect(failures(explain([fail('exchange.any-user')], seen, known))).toEqual(['exchange.any-user', 'exchange.status']);
  expect(failures(explain([fail('exchange.any-user'), unsure('exchange.any-user')], [], known))).toEqual(['exchange.any-user']);
});

test('the surest come first: a history, then what the ledger saw, then what was seen beside others', () => {
  const seen = [contradiction('token.reusable', 'valid-token')];
  const found = [beside('token.any-connection'), fail('protection.history', { about: 'valid-token' })];
  const [told, ...others] = explain(found, seen);
  expect(told).toMatchObject({ requirement: 'protection.history', outcome: 'fail' });
  expect(told?.explains).toEqual([
    { what: 'what valid-token asked was refused', count: 1 },
    { what: 'token.any-connection: b', count: 1 },
  ]);
  expect(failures(others)).toEqual([]);
});

test('a history is explained by a failure about the same asker', () => {
  const found = [fail('protection.history', { about: 'valid-token' }), fail('token.sufficient')];
  expect(failures(explain(found))).toEqual(['token.sufficient']);
});

test('what did not happen again is explained by the ledger, and says so where it is told', () => {
  const once = fail('protection.history', { doubt: 'not again', about: 'login' });
  expect(failures(explain([once], [contradiction('exchange.status', 'login')]))).toEqual(['exchange.status']);
  expect(explain([once])[0]?.message).toMatch(/It did not happen again/);
});

test('what was seen only beside others is told by the row about interleaving', () => {
  const [told] = explain([beside('token.sufficient', { check: 'the check' })]);
  expect(told).toMatchObject({ requirement: 'protection.history', check: 'the check', outcome: 'fail' });
  expect(told?.message).toMatch(/^Expected: a\. Got: b\. It was seen beside other requests/);
});

test('where that row is not judged, and where it is a warning, its own row tells it', () => {
  const without = new Set([...all].filter((id) => id !== 'protection.history'));
  expect(failures(explain([beside('token.sufficient')], [], { selected: without }))).toEqual(['token.sufficient']);
  expect(failures(explain([beside('exchange.utf8')]))).toEqual(['exchange.utf8']);
});

test('contradictions of a row are one failure, with how often they were seen', () => {
  const seen = [contradiction('exchange.status', 'login'), contradiction('exchange.status', 'login')];
  const [told, ...others] = explain([], seen);
  expect(others).toEqual([]);
  expect(told).toMatchObject({
    requirement: 'exchange.status',
    check: 'exchange.status/ledger',
    about: 'login',
    expected: 'what login asked is granted',
    actual: '401',
    chain: seen[0]?.chain,
    rate: { failed: 2, of: 10 },
  });
  expect(explain([], seen, {}, 2)[0]?.rate).toBeUndefined();
});

test('one row of the ledger explains another about the same asker', () => {
  const [told, ...others] = explain([], [contradiction('token.sufficient', 'valid-token'), contradiction('token.reusable', 'valid-token')]);
  expect([told?.requirement, told?.explains?.length, others]).toEqual(['token.sufficient', 1, []]);
});

test('a grant is listed as a grant', () => {
  const [told] = explain([fail('protection.methods')], [contradiction('protection.queries', 'stranger', 'refused')]);
  expect(told?.explains).toEqual([{ what: 'what stranger asked was granted', count: 1 }]);
});

test('rows that are not selected are not told by the ledger', () => {
  expect(explain([], [contradiction('exchange.status', 'login')], { selected: new Set() })).toEqual([]);
});

test('what a row explains is listed once, under its first failure', () => {
  const told = explain([fail('token.sufficient'), fail('token.sufficient', { actual: 'c' }), unsure('token.independent')]);
  expect(told.map(({ explains }) => explains?.length)).toEqual([1, undefined, undefined]);
});

const abouts = ['stranger', 'login', 'wrong-login', 'valid-token', 'expired-token', 'unknown-token'] as const;
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
    fc.property(found, claims, fc.uniqueArray(row, { maxLength: 10 }), (made, seen, known) => {
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
        { known: new Set(known) },
      );
      const listed = told.flatMap(({ outcome, explains }) => (outcome === 'fail' ? (explains ?? []) : []));
      for (const { check } of given) {
        const isTold = told.some((each) => each.check === check && each.outcome === 'fail');
        expect(isTold || listed.some(({ what }) => what === `${check}: b`)).toBe(true);
      }
      const ofLedger = told.filter(({ check }) => check.endsWith('/ledger'));
      const counted = listed.filter(({ what }) => what.startsWith('what ')).reduce((sum, { count }) => sum + count, 0);
      const own = ofLedger.reduce((sum, { requirement }) => sum + seen.filter(([id]) => id === requirement).length, 0);
      expect(counted + own).toBe(seen.length);
    }),
    { seed: 11, numRuns: 300 },
  );
});
