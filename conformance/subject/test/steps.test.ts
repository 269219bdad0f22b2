import { afterEach, expect, test, vi } from 'vitest';
import { madeUp } from '../../../spec/index.js';
import { basic } from '../../arbitraries/index.js';
import type { User } from '../../options.js';
import { ada, bob, protocol, refusal } from '../../test/messages.js';
import { type ScriptedSubject, scriptedSubject, serverError } from '../../test/scripted-subject.js';
import { headerValues, isClockMove } from '../../wire/index.js';
import { Trial } from '../index.js';

const neverIssued = madeUp(protocol.challenge.noncePattern);
const credentials = ({ id, paraphrase }: User) => basic(protocol.challenge.scheme, id, paraphrase);
const wrongOf = (user: User) => credentials({ ...user, paraphrase: `${user.paraphrase}x` });

/** What was sent, a word for each: a wrong attempt, a right login, or a challenge. */
function wordsOf({ sent }: ScriptedSubject): string[] {
  return sent.map((plan) => {
    const [authorization] = headerValues(plan, protocol.headers.authorization);
    if (authorization === undefined) return 'challenge';
    const isRight = [ada, bob].some((user) => authorization === credentials(user));
    return isRight && headerValues(plan, protocol.headers.nonce)[0] !== neverIssued ? 'login' : 'wrong';
  });
}

afterEach(() => void vi.useRealTimers());

test('a login comes before a third refusal in a row of one account, and not into the evidence', async () => {
  const subject = scriptedSubject();
  const trial = new Trial(subject);
  await trial.present(neverIssued, wrongOf(ada));
  await trial.present(neverIssued, credentials(ada));
  await trial.present(neverIssued, wrongOf(ada));
  expect(wordsOf(subject)).toEqual(['wrong', 'wrong', 'challenge', 'login', 'wrong']);
  expect(trial.chain.map((each) => (isClockMove(each) ? 'move' : each.request))).toEqual([0, 1, 4].map((at) => subject.sent[at]));
});

test('accounts are counted apart, and ids that nobody has not at all', async () => {
  const subject = scriptedSubject();
  const trial = new Trial(subject);
  for (const user of [ada, ada, bob, bob]) await trial.present(neverIssued, wrongOf(user));
  for (let times = 0; times < 5; times += 1) await trial.present(neverIssued, credentials({ id: '7654321', paraphrase: 'x' }));
  expect(wordsOf(subject)).not.toContain('login');
});

test('an account that is locked all the same is left alone', async () => {
  const subject = scriptedSubject({ answers: (plan, usual) => (headerValues(plan, 'Authorization').length > 0 ? refusal : usual()) });
  const trial = new Trial(subject);
  for (let times = 0; times < 6; times += 1) await trial.present(neverIssued, wrongOf(ada));
  expect(wordsOf(subject).filter((word) => word === 'login')).toEqual(['login']);
});

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
