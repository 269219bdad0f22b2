import fc from 'fast-check';
import { durationWords } from '../../spec/index.js';
import type { Subject, Token, Trial } from '../subject/index.js';
import {
  type AgeOfUser,
  ageOfUser,
  atEveryOther,
  controlExpired,
  expectClock,
  expectExpired,
  expectExpiredLike,
  expectUsable,
  expectValid,
  few,
  freshToken,
  more,
  oldestYoung,
  part,
  patient,
  twoTokens,
  youngestOld,
} from './ages.js';
import { calendar, dayMs, endOfDay } from './calendar.js';
import { countedFromIssue, notFromTheStart } from './counted-from-issue.js';
import { law } from './law.js';
import { proveTokens } from './working-token.js';

const hourMs = 3_600_000;
const yearMs = 365 * dayMs;

/** How much later an expired token is tried again: at once, for three lives in steps of less than half a life (local time differs by half hours), then after days, weeks, a month and a year. */
const laterMs = ({ protocol: { token } }: Subject): number[] => {
  const lives = [1 / 45, ...Array.from({ length: 7 }, () => 4 / 9), 4 / 3].map((part) => Math.round(part * token.lifetimeMs));
  return [1, ...lives, 12 * hourMs, Math.max(hourMs, dayMs - token.lifetimeMs), dayMs, 7 * dayMs, 31 * dayMs, 366 * dayMs];
};

/** Each time later by this to reach the ages at which an hour, a day or years are just over, where clocks that know only part of the time begin anew. */
const newPeriodsMs = ({ protocol: { token } }: Subject): number[] =>
  [token.lifetimeMs, hourMs, dayMs, yearMs, 10 * yearMs]
    .filter((period) => period >= token.lifetimeMs)
    .flatMap((period, index, all) => (index === 0 ? [] : [period - (all[index - 1] as number)]));

/** How long until a token begins and ends on one day: to services that know only the time of the day, one from before midnight is another matter. */
async function untilOneDay(subject: Subject): Promise<number> {
  const nowMs = patient(subject) ? undefined : await subject.clock.now().catch(() => undefined);
  const leftMs = nowMs === undefined ? dayMs : endOfDay(nowMs) - nowMs;
  return leftMs > 2 * subject.protocol.token.lifetimeMs ? 0 : leftMs;
}

/** That a token is refused says nothing of its age where fresh ones are refused too. */
async function provenToken(trial: Trial, user = trial.user): Promise<Token> {
  expectClock(trial);
  await proveTokens(trial, user);
  return freshToken(trial, user);
}

/** A token that was refused because of its age. */
async function refusedToken(trial: Trial): Promise<Token> {
  const token = await provenToken(trial);
  await trial.advance(youngestOld(trial));
  await controlExpired(trial, token, 'expiry.refused-after');
  return token;
}

export const expiry = [
  // First of those that move the clock: a server may have started just now.
  notFromTheStart,
  law<AgeOfUser>('expiry.valid-until', {
    phase: 'clock',
    sharesClock: 'with others',
    given: () => ageOfUser,
    examples: (subject) => [{ user: 0, at: 1 }, { user: 0, at: 0.5 }, ...atEveryOther(subject, 1)],
    randomCases: (runs, subject) => few(runs, patient(subject)),
    async judge(trial, { user: index, at }, { ableUsers }) {
      const user = ableUsers[index % ableUsers.length] ?? trial.user;
      const token = await provenToken(trial, user);
      const age = Math.round(oldestYoung(trial) * at);
      await trial.advance(age);
      await expectValid(trial, token, `a token of ${durationWords(age)}`);
    },
  }),
  law<AgeOfUser>('expiry.refused-after', {
    phase: 'clock',
    sharesClock: 'with others',
    given: () => ageOfUser,
    examples: (subject) => [{ user: 0, at: 0 }, { user: 0, at: 0.08 }, ...atEveryOther(subject, 0)],
    randomCases: (runs, subject) => few(runs, patient(subject)),
    async judge(trial, { user: index, at }, { ableUsers }) {
      const user = ableUsers[index % ableUsers.length] ?? trial.user;
      const token = await provenToken(trial, user);
      // Whether it stays refused is told by expiry.for-ever.
      const age = Math.round(youngestOld(trial) + (at * trial.protocol.token.lifetimeMs) / 4);
      await trial.advance(age);
      await expectExpired(trial, token, `a token of ${durationWords(age)}`);
    },
  }),
  // Nobody logs in between: a login lets many services forget what is over.
  law<readonly number[]>('expiry.for-ever', {
    phase: 'clock',
    sharesClock: 'among its cases',
    given: (subject) =>
      fc.array(patient(subject) ? fc.constant(1000) : fc.constantFrom(...laterMs(subject)), { minLength: 1, maxLength: 4 }),
    examples: (subject) => (patient(subject) ? [[1000]] : [laterMs(subject), newPeriodsMs(subject)]),
    randomCases: (runs, subject) => more(runs, patient(subject)),
    async judge(trial, steps, subject) {
      expectClock(trial);
      await trial.advance(await untilOneDay(subject));
      trial.chain.length = 0;
      const token = await refusedToken(trial);
      for (const step of steps) {
        await trial.advance(step);
        await expectExpired(trial, token, `an expired token, ${durationWords(step)} after it was refused last,`);
      }
    },
  }),
  law<null>('expiry.for-ever', {
    name: 'after-a-login',
    phase: 'clock',
    given: () => fc.constant(null),
    randomCases: () => 1,
    async judge(trial) {
      const token = await refusedToken(trial);
      await trial.login(token.user);
      await expectExpired(trial, token, 'an expired token after its user logged in again');
    },
  }),
  law<readonly number[]>('expiry.not-sliding', {
    phase: 'clock',
    sharesClock: 'with others',
    given: () => fc.array(part, { minLength: 1, maxLength: 4 }),
    examples: () => [[0.5], [0.3, 0.6, 0.9], [0.98]],
    randomCases: (runs, subject) => more(runs, patient(subject)),
    async judge(trial, at) {
      const [unused, used] = await twoTokens(trial);
      await expectUsable(trial, used);
      let now = 0;
      for (const each of [...at].sort()) {
        const next = Math.round(oldestYoung(trial) * each);
        await trial.advance(next - now);
        now = Math.max(now, next);
        await expectUsable(trial, used);
      }
      await trial.advance(youngestOld(trial) - now);
      const what = 'a token that was used while it was young';
      await expectExpiredLike(trial, unused, used, { what, byMs: now, see: 'expiry.refused-after' });
    },
  }),
  ...countedFromIssue,
  calendar,
];
