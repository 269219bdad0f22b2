import { describe, expect, test } from 'vitest';
import type { Finding } from '../../finding.js';
import type { Contradiction } from '../../oracle/index.js';
import { exchanged, grant, read, refusal } from '../../test/messages.js';
import { beside, contradiction, explain, fail, unsure } from './explaining.js';

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

describe('a failure that rests on the refusal of a login', () => {
  const chain = [exchanged(read(), refusal)];
  const outcomes = (finding: Finding, excuse: 'displaced' | 'locked') =>
    explain([finding], [], {}, 10, excuse).map(({ requirement, outcome }) => `${requirement} ${outcome}`);

  test('holds alone, where other nonces may have displaced its own beside others', () => {
    expect(outcomes(beside('exchange.any-user', { chain }), 'displaced')).toEqual(['exchange.any-user pass']);
  });

  test('is told where it failed alone', () => {
    expect(outcomes(fail('exchange.any-user', { chain }), 'displaced')).toEqual(['exchange.any-user fail']);
  });

  test('says nothing where the address may be locked', () => {
    expect(outcomes(fail('exchange.any-user', { chain }), 'locked')).toEqual(['exchange.any-user untested']);
  });

  test('is told where its last answer is a grant', () => {
    const granted = [exchanged(read(), grant('t'))];
    expect(outcomes(fail('exchange.status', { chain: granted }), 'locked')).toEqual(['exchange.status fail']);
  });
});
