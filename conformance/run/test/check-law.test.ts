import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Law, law } from '../../laws/index.js';
import { Untested, Violation } from '../../subject/index.js';
import { openSubject } from '../../test/open-subject.js';
import { checkLaw, repeatCase, tellLaw } from '../check-law.js';

const how = { runs: 0, seed: 1 } as const;

/** A law with these examples and no random cases. */
function lawOf(examples: readonly number[], judge: (value: number) => Promise<void> | void, more: Partial<Law<number>> = {}): Law {
  const given = () => fc.constantFrom(...examples);
  const judged = async (_: unknown, value: number) => judge(value);
  return law('token.sufficient', { given, examples: () => examples, randomCases: () => 0, judge: judged, ...more }) as Law;
}

async function tell(given: Law) {
  const subject = await openSubject();
  return tellLaw(await checkLaw(given, subject, how), subject, how);
}

/** A number is too large from this on. */
const below = (limit: number) =>
  law<number>('token.sufficient', {
    randomCases: (runs) => runs,
    given: () => fc.nat(1000),
    words: (value) => `the number ${value}`,
    async judge(trial, value) {
      await trial.stranger();
      if (value >= limit) throw new Violation(`fewer than ${limit}`, String(value));
    },
  }) as Law;

test('a law whose cases hold passes, and says how many there were', async () => {
  expect(await tell(lawOf([1, 2, 3], () => {}))).toEqual([
    {
      requirement: 'token.sufficient',
      check: 'token.sufficient',
      engine: 'laws',
      outcome: 'pass',
      restsOn: '3 cases',
      cases: { planned: 3, run: 3 },
      seed: 1,
      durationMs: expect.any(Number),
    },
  ]);
  expect(await tell(lawOf([1], () => {}, { name: 'once' }))).toMatchObject([{ check: 'token.sufficient/once', restsOn: '1 case' }]);
});

test('the same seed gives the same cases, and each law cases of its own', async () => {
  const values = async (seed: number, id: string) => {
    const { tried } = await checkLaw({ ...below(2000), id }, await openSubject(), { runs: 5, seed }, true);
    return tried.map(({ value }) => value);
  };
  expect(await values(1, 'a')).toHaveLength(5);
  expect(await values(1, 'a')).toEqual(await values(1, 'a'));
  expect(await values(1, 'a')).not.toEqual(await values(2, 'a'));
  expect(await values(1, 'a')).not.toEqual(await values(1, 'b'));
});

test('a failure is shrunk, and its path leads to the shrunk example', async () => {
  const subject = await openSubject();
  const given = below(10);
  const [finding, ...others] = await tellLaw(await checkLaw(given, subject, { runs: 20, seed: 1 }), subject, { runs: 20, seed: 1 });
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    outcome: 'fail',
    example: 'the number 10',
    expected: 'fewer than 10',
    actual: '10',
    message: 'Expected: fewer than 10. Got: 10.',
    seed: 1,
  });
  expect(finding?.doubt).toBeUndefined();
  expect(finding?.chain).toHaveLength(1);
  expect(await repeatCase(given, finding?.path as string, subject, { runs: 20, seed: 1 })).toMatchObject({
    example: 'the number 10',
  });
});

test('what fails beside others and not alone is in doubt, with the evidence that was seen', async () => {
  let underWay = 0;
  const judge = async (value: number) => {
    underWay += 1;
    // Some turns of the event queue, in which whatever may run beside does.
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    const many = underWay;
    underWay -= 1;
    if (many > 1) throw new Violation('one at a time', `${many > 1 ? 'several' : 'one'} (${value})`, [{ advancedMs: 5 }]);
  };
  const [finding] = await tell(lawOf([1, 2, 3, 4], judge));
  expect(finding).toMatchObject({ outcome: 'fail', doubt: 'beside others', chain: [{ advancedMs: 5 }], actual: 'several (1)' });
  expect(finding?.path).toBeUndefined();
});

test('a history that fails once and not again is in doubt', async () => {
  let tries = 0;
  const judge = () => {
    if (++tries === 1) throw new Violation('a', 'b');
  };
  expect(await tell(lawOf([1], judge, { phase: 'history' }))).toMatchObject([{ outcome: 'fail', doubt: 'not again', heldAgain: 5 }]);
});

test('each way of failing is told once, the worst first', async () => {
  const judge = (value: number) => {
    throw new Violation(
      `kind ${value % 3}`,
      'x',
      undefined,
      undefined,
      [undefined, 'token', 'resource'][value % 3] as 'token' | 'resource',
    );
  };
  const findings = await tell(lawOf([0, 1, 2, 3, 4, 5], judge));
  expect(findings.map(({ expected }) => expected)).toEqual(['kind 1', 'kind 2', 'kind 0']);
});

test('what could not be tried beside others is tried again alone', async () => {
  let tries = 0;
  const judge = () => {
    if (++tries <= 4) throw new Untested('the target was busy');
  };
  expect(await tell(lawOf([1, 2, 3, 4], judge))).toMatchObject([{ outcome: 'pass', restsOn: '4 cases' }]);
});

test.each([
  ['cannot be tried alone either is untested, for the first reason', new Untested('no token came'), {}, 'no token came', 'target'],
  ['needs what the call left out says so', new Untested('no clock', 'call'), { phase: 'clock' }, 'no clock', 'call'],
  ['goes wrong in the judge says nothing', new TypeError('x'), {}, 'the check itself failed with an error: x', 'target'],
] as const)('what %s', async (_, error, more, message, through) => {
  const judge = () => Promise.reject(error);
  expect(await tell(lawOf([1, 2], judge, more))).toMatchObject([{ outcome: 'untested', message, through }]);
});

test('a law of which the first three cases could not be tried is not tried further', async () => {
  let tries = 0;
  const judge = () => {
    tries += 1;
    throw new Untested('nothing there');
  };
  await checkLaw(lawOf([1, 2, 3, 4, 5, 6], judge), await openSubject({ concurrency: 1 }), how);
  expect(tries).toBe(3);
});
