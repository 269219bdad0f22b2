import { afterEach, expect, test, vi } from 'vitest';
import { ada, protocol } from '../../test/messages.js';
import { type ScriptedSubject, scriptedSubject, serverError } from '../../test/scripted-subject.js';
import { headerValues } from '../../wire/index.js';
import { Trial } from '../index.js';

/** What was sent, a word for each. */
const wordsOf = ({ sent }: ScriptedSubject) =>
  sent.map((plan) => (headerValues(plan, protocol.headers.authorization).length > 0 ? 'login' : 'challenge'));

afterEach(() => void vi.useRealTimers());

test('a login at which the server fails is taken once more, with another nonce', async () => {
  let failures = 1;
  const subject = scriptedSubject({
    answers: (plan, usual) => (headerValues(plan, 'Authorization').length > 0 && failures-- > 0 ? serverError : usual()),
  });
  const trial = new Trial(subject);
  await trial.login(ada);
  expect(wordsOf(subject)).toEqual(['challenge', 'login', 'challenge', 'login']);
  expect(trial.chain).toHaveLength(2);
  failures = 2;
  await expect(trial.login(ada)).rejects.toThrow('user 1 got no token, although other users did (500');
});

test('a nonce taken ahead is used, and replaced where it has waited long', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const subject = scriptedSubject();
  const trial = new Trial(subject);
  const [soon, late] = [await trial.challengeAhead(), await trial.challengeAhead()];
  const first = await soon();
  vi.advanceTimersByTime(2000);
  const second = await late();
  expect(subject.sent).toHaveLength(3);
  expect(new Set([first.value, second.value]).size).toBe(2);
  expect((await trial.exchange(second, ada)).answer?.status).toBe(200);
});
