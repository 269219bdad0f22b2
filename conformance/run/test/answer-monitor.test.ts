import { expect, test } from 'vitest';
import { bad, good } from '../../expect/index.js';
import type { AnswerLaw } from '../../laws/index.js';
import { answer, challenge, exchanged, read, resource } from '../../test/messages.js';
import { scriptedSubject } from '../../test/scripted-subject.js';
import type { Chain, RequestPlan } from '../../wire/index.js';
import { monitorAnswers } from '../answer-monitor.js';

const subject = scriptedSubject();

/** A law that finds the status of an answer wrong, from 402 on. */
const lawOf = (look: AnswerLaw['look'], requirement = 'challenge.status'): AnswerLaw => ({ requirement, roles: ['challenge'], look });
const statusLaw = lawOf(({ status }) => (status > 401 ? bad('status 401', `status ${status}`) : good));

function monitoring(...laws: AnswerLaw[]) {
  const plain = scriptedSubject();
  delete plain.facts.challengeStatus;
  const monitor = monitorAnswers(laws, () => plain);
  const see = (status: number, plan: RequestPlan = read(), before: Chain = []) => {
    const exchange = exchanged(plan, answer(status));
    monitor.watch(exchange, 'challenge', [...before, exchange]);
  };
  return { monitor, see };
}

test('a law that saw nothing is untested', async () => {
  expect(await monitoring(statusLaw).monitor.findings()).toMatchObject([
    { requirement: 'challenge.status', outcome: 'untested', through: 'target' },
  ]);
});

test('a law passes by the number of answers it saw', async () => {
  const { monitor, see } = monitoring(statusLaw);
  see(401);
  see(401);
  expect(await monitor.findings()).toEqual([
    { requirement: 'challenge.status', check: 'challenge.status', engine: 'laws', outcome: 'pass', restsOn: '2 answers' },
  ]);
});

test('an answer that has nothing to judge does not count', async () => {
  const { monitor, see } = monitoring(lawOf(() => undefined));
  see(401);
  expect(await monitor.findings()).toMatchObject([{ outcome: 'untested' }]);
});

test('a law sees the answers of its roles, where they are the message that the role calls for', async () => {
  const seen: number[] = [];
  const monitor = monitorAnswers([lawOf(({ status }) => void seen.push(status))], () => subject);
  monitor.watch(exchanged(read(), challenge('n')), 'challenge', []);
  monitor.watch(exchanged(read(), resource), 'use', []);
  monitor.watch(exchanged(read(), resource), 'challenge', []);
  monitor.watch(exchanged(read(), answer(429)), 'challenge', []);
  monitor.watch(exchanged(read()), 'challenge', []);
  expect(seen).toEqual([401]);
});

test('a failure is told with how often it was seen, where it was not always', async () => {
  const { monitor, see } = monitoring(statusLaw);
  see(403);
  expect(await monitor.findings()).toMatchObject([
    { outcome: 'fail', expected: 'status 401', actual: 'status 403', message: 'Expected: status 401. Got: status 403.' },
  ]);
  expect((await monitor.findings())[0]?.rate).toBeUndefined();
  see(401);
  see(401);
  expect((await monitor.findings())[0]?.rate).toEqual({ failed: 1, of: 3 });
});

test('failures that differ in numbers only are one kind', async () => {
  const { monitor, see } = monitoring(statusLaw);
  see(403);
  see(404);
  expect(await monitor.findings()).toMatchObject([{ actual: 'status 403' }]);
});

test('other kinds are told beside each other, five at the most', async () => {
  const { monitor, see } = monitoring(lawOf(({ status }) => bad('something', `kind ${'abcdefgh'[status - 401]}`)));
  for (let status = 401; status <= 408; status += 1) see(status);
  expect((await monitor.findings()).map(({ actual }) => actual)).toEqual(['kind a', 'kind b', 'kind c', 'kind d', 'kind e']);
});

test('the plainest request that showed it is shown', async () => {
  const { monitor, see } = monitoring(statusLaw);
  const odd = read(['X-Debug', '1'], ['Accept', 'text/plain']);
  see(403, odd, [{ advancedMs: 1 }]);
  see(403, { ...read(), method: 'POST' });
  see(403);
  see(403, odd);
  expect((await monitor.findings())[0]?.chain).toMatchObject([{ request: read() }]);
});

test('a law can show other exchanges than those that led to the answer', async () => {
  const { monitor, see } = monitoring(lawOf(() => ({ ...bad('a', 'b'), chain: [{ advancedMs: 7 }] })));
  see(401);
  expect((await monitor.findings())[0]?.chain).toEqual([{ advancedMs: 7 }]);
});

test('judgements that take their time are waited for', async () => {
  const free: (() => void)[] = [];
  const { monitor, see } = monitoring(
    lawOf(async () => {
      await new Promise<void>((resolve) => free.push(resolve));
      return bad('a', 'b');
    }),
    statusLaw,
  );
  see(401);
  const findings = monitor.findings();
  for (const each of free) each();
  expect((await findings).map(({ outcome }) => outcome)).toEqual(['fail', 'pass']);
});
