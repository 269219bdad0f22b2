import { createServer } from 'node:http';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { listening } from '../../../spec/test/listening.js';
import { deferred } from '../../parallel.js';
import { ada } from '../../test/messages.js';
import { openSubject } from '../../test/open-subject.js';
import { Trial } from '../index.js';

afterEach(() => void vi.useRealTimers());

test('a login at which the server fails is taken once more, with another nonce', async () => {
  let failures = 1;
  const sent: string[] = [];
  const subject = await openSubject({
    answers({ headers, base }, parts) {
      sent.push(headers.authorization === undefined ? 'challenge' : 'login');
      return sent.at(-1) === 'login' && failures-- > 0 ? parts.answers.error(500, base, parts) : undefined;
    },
  });
  const trial = new Trial(subject);
  await trial.login(ada);
  expect(sent).toEqual(['challenge', 'login', 'challenge', 'login']);
  expect(trial.chain).toHaveLength(2);
  failures = 2;
  await expect(trial.login(ada)).rejects.toThrow('user 1 got no token, although other users did (500');
});

test('a nonce taken ahead is used, and replaced where it has waited long', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const subject = await openSubject();
  const trial = new Trial(subject);
  const [soon, late] = [await trial.challengeAhead(), await trial.challengeAhead()];
  const first = await soon();
  vi.advanceTimersByTime(2000);
  const second = await late();
  expect(subject.client.requests).toBe(3);
  expect(new Set([first.value, second.value]).size).toBe(2);
  expect((await trial.exchange(second, ada)).answer?.status).toBe(200);
});

test('nobody waits for a clock when the run is over', async () => {
  const asked = deferred();
  const silent = createServer(({ method }, answer) => {
    if (method === 'GET') answer.end('{"now":"2026-01-01T00:00:00Z"}');
    else asked.resolve();
  });
  const { url, close } = await listening(silent);
  onTestFinished(close);
  const subject = await openSubject({ clock: url });
  const moved = new Trial(subject).advance(1000);
  moved.catch(() => {});
  await asked.promise;
  const request = { method: 'GET', target: '/', headers: [] };
  const problem = { code: 'timeout', message: 'There was no answer.' } as const;
  for (let times = 0; times < 12; times += 1) subject.patience.note({ request, problem, sentAtMs: 0, durationMs: 5000 });
  await expect(moved).rejects.toThrow('the target stopped answering');
  await expect(subject.clock.now()).rejects.toThrow('the target stopped answering');
}, 20_000);
