import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spec } from '../../../spec/index.js';
import { type Finding, failure } from '../../finding.js';
import type { About, Contradiction, Oracle } from '../../oracle/index.js';
import { exchanged, grant, protocol, read, refusal, resource } from '../../test/messages.js';
import { explainFindings } from '../explain.js';

const { catalogue } = spec;

const fail = (requirement: string, more: Partial<Finding> = {}) => failure(requirement, requirement, 'a', 'b', more);
const unsure = (requirement: string, more: Partial<Finding> = {}) => fail(requirement, { doubt: 'other causes', ...more });
const beside = (requirement: string, more: Partial<Finding> = {}) => fail(requirement, { doubt: 'beside others', ...more });

const contradiction = (requirement: string, about: About, must: 'granted' | 'refused' | 'challenged' = 'granted'): Contradiction => {
  const exchange = exchanged(read(), must === 'refused' ? resource : refusal);
  return { expectation: { requirement, about, must, what: `what ${about} asked` }, exchange, chain: [exchange] };
};

const afterMoves = 1e6;

function explain(found: readonly Finding[], seen: readonly Contradiction[] = [], excuse?: 'displaced' | 'locked'): Finding[] {
  const oracle = {
    contradictions: () => seen,
    excuses: () => () => excuse,
    rate: () => ({ of: 10, contradicted: seen.length }),
    servesStrangers: (target: string) =>
      seen.some(({ expectation, exchange }) => expectation.about === 'stranger' && exchange.request.target === target),
    isRefusedOtherwise: ({ expectation }: Contradiction) => expectation.must === 'challenged',
    bringsSharedToken: () => false,
    tokens: { issueOf: () => undefined },
    isMovedBetween: (_: number, sentAtMs: number) => sentAtMs >= afterMoves,
    isFromElsewhere: () => false,
    givenTo: () => [],
    isOpenedByItsOwn: () => false,
  } as unknown as Oracle;
  const selected = new Set(catalogue.requirements.map(({ id }) => id));
  return explainFindings(found, { catalogue, protocol, oracle, firstPlace: 'api/things', selected, sinceMs: 0 });
}

const failures = (findings: readonly Finding[]) =>
  findings.filter(({ outcome }) => outcome === 'fail').map(({ requirement }) => requirement);

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
      message: `the failure is reported under ${sure === doubtful ? 'another check of this requirement' : sure}`,
      toldBy: sure,
    },
  ]);
});

test('a warning explains no violation, and itself', () => {
  expect(failures(explain([fail('exchange.utf8')], [contradiction('exchange.status', 'login')]))).toEqual([
    'exchange.utf8',
    'exchange.status',
  ]);
  expect(failures(explain([fail('exchange.utf8'), unsure('exchange.utf8')]))).toEqual(['exchange.utf8']);
});

test('of valid tokens that were refused, one that came alone explains one that came beside credentials, whichever was first', () => {
  const alone = contradiction('token.reusable', 'valid-token');
  const seen = contradiction('token.beside-other-credentials', 'valid-token');
  const exchange = { ...seen.exchange, request: { ...seen.exchange.request, headers: [['Authorization', 'Other x']] as const } };
  expect(failures(explain([], [{ ...seen, exchange, chain: [exchange] }, alone]))).toEqual(['token.reusable']);
});

test('the surest come first: a history, then what the oracle saw, then what was seen beside others', () => {
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

test('what strangers are given explains what others are given there, and nowhere else', () => {
  const unknown = contradiction('token.unknown-refused', 'unknown-token', 'refused');
  const stranger = contradiction('protection.collections', 'stranger', 'refused');
  expect(failures(explain([fail('protection.collections')], [stranger, unknown]))).toEqual(['protection.collections']);
  const found = [fail('protection.options'), beside('token.unknown-refused')];
  expect(failures(explain(found, [unknown]))).toEqual(['protection.options', 'token.unknown-refused']);
});

test('what strangers are given now and then is told by the plainest request, before and after the clock was moved', () => {
  const { exchange, ...plain } = contradiction('protection.collections', 'stranger', 'refused');
  const later = { ...exchange, sentAtMs: afterMoves };
  const spelled = { ...exchange, request: { ...exchange.request, target: '/api/x/../things' } };
  const odd = { ...contradiction('protection.path-spellings', 'stranger', 'refused'), exchange: spelled, chain: [spelled] };
  const once = fail('protection.path-spellings-challenged', { doubt: 'not again', chain: [spelled] });
  expect(failures(explain([once], [odd, { ...plain, exchange: later, chain: [later] }]))).toEqual(['protection.collections']);
});

test('what a stranger was given is told before how another was refused, and once refused otherwise is flaky', () => {
  const given = contradiction('protection.collections', 'stranger', 'refused');
  const refused = contradiction('protection.collections', 'stranger', 'challenged');
  const [told] = explain([], [refused, given]);
  expect(told).toMatchObject({ outcome: 'fail', expected: 'what stranger asked is refused', given: 'resource' });
  expect(told?.explains).toEqual([{ what: 'what stranger asked was refused otherwise', count: 1 }]);
  expect(explain([], [refused]).map(({ outcome }) => outcome)).toEqual(['flaky']);
  expect(explain([], [refused, refused]).map(({ outcome }) => outcome)).toEqual(['fail']);
});

test('what did not happen again is explained by the oracle, and says so where it is told', () => {
  const once = fail('protection.history', { doubt: 'not again', about: 'login' });
  expect(failures(explain([once], [contradiction('exchange.status', 'login')]))).toEqual(['exchange.status']);
  expect(explain([once])[0]?.message).toMatch(/It did not happen again/);
});

test('what failed once and held every time it was repeated is flaky, unless somebody was given something or more was seen', () => {
  const rate = { failed: 1, of: 6 };
  for (const doubt of ['not again', 'beside others'] as const) {
    const once = fail('token.sufficient', { doubt, heldAgain: 5 });
    expect(explain([once])).toMatchObject([{ requirement: 'token.sufficient', outcome: 'flaky', rate }]);
    expect(explain([{ ...once, given: 'resource' }])).toMatchObject([{ outcome: 'fail' }]);
    expect(explain([once, { ...once, check: 'another' }])[0]).toMatchObject({ outcome: 'fail', explains: [{ count: 1 }] });
  }
});

test('what the collection met once beside the laws is flaky where nothing else fails, and hides nothing that does', () => {
  const once = fail('token.sufficient', { engine: 'postman', doubt: 'beside the laws' });
  expect(explain([once])).toMatchObject([{ outcome: 'flaky', rate: { failed: 1, of: 2 } }]);
  const told = explain([once], [contradiction('token.sufficient', 'valid-token')]);
  expect(told.map(({ engine, outcome }) => [engine, outcome])).toEqual([
    ['laws', 'fail'],
    ['postman', 'pass'],
  ]);
});

test('what was seen only beside others is told by the row about interleaving', () => {
  const [told] = explain([beside('token.sufficient', { check: 'the check' })]);
  expect(told).toMatchObject({ requirement: 'protection.history', check: 'the check', outcome: 'fail' });
  expect(told?.message).toMatch(/^Expected: a\. Got: b\. It happened while other requests were running/);
});

test('a failure that needs something explains only what was seen with it', () => {
  const via = exchanged({ ...read(), headers: [['Via', '1.1 gateway']] }, refusal);
  const shrunk = fail('token.sufficient', { isShrunk: true, chain: [via] });
  const plain = contradiction('token.reusable', 'valid-token');
  const withVia: Contradiction = { ...plain, exchange: via, chain: [via] };
  expect(failures(explain([shrunk], [plain]))).toEqual(['token.sufficient', 'token.reusable']);
  expect(failures(explain([shrunk], [withVia]))).toEqual(['token.sufficient']);
  expect(failures(explain([shrunk, fail('protection.history', { about: 'valid-token', chain: plain.chain })]))).toEqual([
    'token.sufficient',
    'protection.history',
  ]);
});

const refused = [exchanged(read(), refusal)];

test.each<[string, Finding, 'displaced' | 'locked', string]>([
  ['holds alone, where other nonces may have displaced its own', beside('exchange.any-user', { chain: refused }), 'displaced', 'pass'],
  [
    'holds alone, where a request just ahead may have displaced its nonce',
    fail('exchange.any-user', { chain: [exchanged({ ...read(), ahead: read() }, refusal)] }),
    'displaced',
    'pass',
  ],
  ['is told where it failed alone', fail('exchange.any-user', { chain: refused }), 'displaced', 'fail'],
  ['says nothing where the address may be locked', fail('exchange.any-user', { chain: refused }), 'locked', 'untested'],
  ['is told where its last answer is a grant', fail('exchange.status', { chain: [exchanged(read(), grant('t'))] }), 'locked', 'fail'],
])('a failure that rests on the refusal of a login %s', (_, finding, excuse, outcome) => {
  expect(explain([finding], [], excuse).map((each) => [each.requirement, each.outcome])).toEqual([[finding.requirement, outcome]]);
});

const abouts = ['stranger', 'login', 'wrong-login', 'wrong-nonce', 'valid-token', 'expired-token', 'unknown-token'] as const;
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
    requirement: fc.constantFrom(...catalogue.requirements.map(({ id }) => id)),
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
