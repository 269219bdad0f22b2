import { expect, test } from 'vitest';
import type { Law } from '../../laws/index.js';
import { Trial, Untested, Violation } from '../../subject/index.js';
import { ada, challenge, credentialsLine, grant, nonceLine, read } from '../../test/messages.js';
import { type Script, scriptedSubject } from '../../test/scripted-subject.js';
import { isSideBySide, outcomeOf, tryCases } from '../cases.js';
import { Gauge, lawOf } from './scripted-law.js';

const values = Array.from({ length: 10 }, (_, index) => index);

async function widthOf(law: Partial<Law>, script: Script = {}, alone = false, oneAtATime?: string): Promise<number> {
  const gauge = new Gauge();
  const subject = scriptedSubject(script);
  if (oneAtATime !== undefined) subject.facts.oneAtATime = oneAtATime;
  const tried = await tryCases(
    lawOf(values, (value) => gauge.pass(value), law),
    values,
    subject,
    alone,
  );
  expect(gauge.begun).toEqual(values);
  expect(tried.map(({ index, value }) => [index, value]).sort()).toEqual(values.map((value) => [value, value]));
  expect(tried.every(({ outcome }) => outcome === 'held')).toBe(true);
  return gauge.most;
}

test.each<[string, number, Partial<Law>, Script?, boolean?, string?]>([
  ['plain ones, four at a time', 4, {}, { concurrency: 8 }],
  ['plain ones, no more than there are connections', 3, {}, { concurrency: 3 }],
  ['one connection', 1, {}, { concurrency: 1 }],
  ['a target that is judged one at a time', 1, {}, {}, false, 'nonces exclude each other'],
  ['asked to go alone', 1, {}, {}, true],
  ['wrong credentials, for which accounts are borrowed', 4, { phase: 'wrong-credentials' }],
  ['histories', 1, { phase: 'history' }],
  ['a clock that is moved', 1, { phase: 'clock' }],
  ['a clock that is moved and shared', 10, { phase: 'clock', sharesClock: 'with others' }],
  ['a clock that its own cases share', 10, { phase: 'clock', sharesClock: 'among its cases' }],
  ['a clock that is waited for', 10, { phase: 'clock' }, { clock: 'real' }],
])('cases are begun in order, and so many beside each other: %s', async (_, width, law, script, alone, oneAtATime) => {
  expect(await widthOf(law, script, alone, oneAtATime)).toBe(width);
});

test('a shared clock is moved once for all, one of its own for each', async () => {
  const moved = async (how: Pick<Partial<Law>, 'sharesClock'>) => {
    const subject = scriptedSubject();
    const law = lawOf([100, 100, 300], (ms, trial) => trial.advance(ms), { phase: 'clock', ...how });
    await tryCases(law, [100, 100, 300], subject, false);
    return subject.moves;
  };
  expect(await moved({ sharesClock: 'with others' })).toEqual([100, 200]);
  expect(await moved({ sharesClock: 'among its cases' })).toEqual([100, 200]);
  expect(await moved({})).toEqual([100, 100, 300]);
});

test('the clock is not shared where tokens are handed out again', async () => {
  const subject = scriptedSubject({ answers: (plan) => (plan.headers.length === 0 ? challenge('n') : grant('t')) });
  const law = lawOf([0], () => {}, { phase: 'clock', sharesClock: 'with others' });
  for (const expected of [true, false]) {
    await subject.client.send(read());
    await subject.client.send(read(nonceLine('n'), credentialsLine(ada)));
    expect(isSideBySide(law, subject)).toBe(expected);
  }
});

test('a law of which the first three cases could not be tried is not tried further', async () => {
  const tried = await tryCases(
    lawOf(values, () => {
      throw new Untested('nothing there');
    }),
    values,
    scriptedSubject(),
    true,
  );
  expect(tried.map(({ index }) => index)).toEqual([0, 1, 2]);
});

test('it is where one of them held', async () => {
  const judge = (value: number) => {
    if (value !== 1) throw new Untested('nothing there');
  };
  expect(await tryCases(lawOf(values, judge), values, scriptedSubject(), true)).toHaveLength(10);
});

test('it is where one of them failed, until there are enough failures', async () => {
  const many = Array.from({ length: 30 }, (_, index) => index);
  const judge = (value: number) => {
    if (value % 2 === 0) throw new Violation('a', 'b');
    throw new Untested('nothing there');
  };
  const tried = await tryCases(lawOf(many, judge), many, scriptedSubject(), true);
  expect(tried.filter(({ outcome }) => outcome instanceof Violation)).toHaveLength(12);
  expect(tried.at(-1)?.index).toBe(22);
});

test('what goes wrong in the judge says nothing of the target', async () => {
  const outcome = (thrown: unknown) =>
    outcomeOf(
      lawOf([0], () => {
        throw thrown;
      }),
      0,
      new Trial(scriptedSubject()),
    );
  expect(await outcome(new TypeError('x is undefined'))).toEqual(new Untested('the check itself failed with an error: x is undefined'));
  expect(await outcome('thrown by hand')).toEqual(new Untested('the check itself failed with an error: thrown by hand'));
  expect(await outcome(new Untested('no clock', 'call'))).toMatchObject({ message: 'no clock', through: 'call' });
});

test('a violation is shown by all exchanges of its trial, unless it names its own', async () => {
  const judge = async (chain: [] | undefined, trial: Trial) => {
    await trial.stranger();
    throw new Violation('a', 'b', chain, 'stranger');
  };
  const subject = scriptedSubject();
  const seen = await outcomeOf(lawOf([undefined], judge), undefined, new Trial(subject));
  expect(seen).toMatchObject({ about: 'stranger', chain: [{ request: subject.sent[0] }] });
  expect(await outcomeOf(lawOf<[]>([[]], judge), [], new Trial(subject))).toMatchObject({ chain: [] });
});
