import fc from 'fast-check';
import { durationWords } from '../../spec/index.js';
import { type Subject, type Token, type Trial, Untested } from '../subject/index.js';
import {
  controlExpired,
  countedFromIssue,
  expectClock,
  expectExpired,
  expectExpiredLike,
  expectUsable,
  expectValid,
  freshToken,
  more,
  notFromTheStart,
  oldestYoung,
  part,
  patient,
  shared,
  twoTokens,
  youngestOld,
} from './counted-from-issue.js';
import { chosen, law, single } from './law.js';
import { userAt } from './present-wrong.js';
import { proveTokens } from './token.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
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

const endOfDay = (afterMs: number): number => (Math.floor(afterMs / dayMs) + 1) * dayMs;

/** In Europe: at one o'clock UTC on the last Sunday of March. */
function summerTime(year: number): number {
  const lastOfMarch = new Date(Date.UTC(year, 2, 31));
  return lastOfMarch.getTime() - lastOfMarch.getUTCDay() * dayMs + hourMs;
}

/** The next instant after another at which the calendar of many services jumps or something of theirs begins anew. */
const boundaries: readonly (readonly [name: string, after: (ms: number) => number])[] = [
  ['the end of the day', endOfDay],
  [
    'the beginning of summer time',
    (afterMs) => {
      const year = new Date(afterMs).getUTCFullYear();
      return summerTime(year) > afterMs ? summerTime(year) : summerTime(year + 1);
    },
  ],
];

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
  await controlExpired(trial, token, ['expiry.refused-after']);
  return token;
}

/** A token of some age: at both instants of the first user, at the first of the others, unless the clock is slow. */
const ofAge = (
  requirement: string,
  [first, second]: readonly [number, number],
  ageOf: (trial: Trial, at: number) => number,
  expect: (trial: Trial, token: Token, what: string) => Promise<void>,
) =>
  law<{ user: number; at: number }>(requirement, {
    ...shared,
    given: () => fc.record({ user: fc.nat(7), at: part }),
    examples: (subject) => [
      { user: 0, at: first },
      { user: 0, at: second },
      ...(patient(subject) ? [] : subject.ableUsers.slice(1).map((_, index) => ({ user: index + 1, at: first }))),
    ],
    randomCases: (runs, subject) => (patient(subject) ? 0 : Math.ceil(runs / 10)),
    async judge(trial, { user, at }, subject) {
      const token = await provenToken(trial, userAt(subject, user));
      const age = Math.round(ageOf(trial, at));
      await trial.advance(age);
      await expect(trial, token, `a token of ${durationWords(age)}`);
    },
  });

export const expiry = [
  // First of those that move the clock: a server may have started just now, and tokens that were issued before are over behind it.
  notFromTheStart,
  ofAge('expiry.valid-until', [1, 0.5], (trial, at) => oldestYoung(trial) * at, expectValid),
  // Whether it stays refused is told by expiry.for-ever.
  ofAge('expiry.refused-after', [0, 0.08], (trial, at) => youngestOld(trial) + (at * trial.protocol.token.lifetimeMs) / 4, expectExpired),
  // Nobody logs in between: a login lets many services forget what is over.
  law<readonly number[]>('expiry.for-ever', {
    phase: 'clock',
    sharesClock: 'among its cases',
    given: (subject) =>
      fc.array(patient(subject) ? fc.constant(1000) : fc.constantFrom(...laterMs(subject)), { minLength: 1, maxLength: 4 }),
    examples: (subject) => (patient(subject) ? [[1000]] : [laterMs(subject), newPeriodsMs(subject)]),
    randomCases: more,
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
  single('expiry.for-ever', {
    ...shared,
    name: 'after-a-login',
    async judge(trial) {
      const token = await refusedToken(trial);
      await trial.login(token.user);
      await expectExpired(trial, token, 'an expired token after its user logged in again');
    },
  }),
  law<readonly number[]>('expiry.not-sliding', {
    ...shared,
    given: () => fc.array(part, { minLength: 1, maxLength: 4 }),
    examples: () => [[0.5], [0.3, 0.6, 0.9], [0.98]],
    randomCases: more,
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
      await expectExpiredLike(trial, unused, used, { what, byMs: now, see: ['expiry.refused-after'] });
    },
  }),
  ...countedFromIssue,
  chosen<(typeof boundaries)[number]>('expiry.valid-until', {
    ...shared,
    name: 'calendar',
    isDoubtful: true,
    examples: () => boundaries,
    async judge(trial, [boundary, after], { clock, protocol }) {
      expectClock(trial);
      if (patient(trial.subject)) throw new Untested('this takes up to a year, too long for --clock wait');
      const nowMs = await clock.now();
      if (nowMs === undefined) throw new Untested('the clock does not tell the time', 'call');
      const { lifetimeMs } = protocol.token;
      const halfMs = Math.round(lifetimeMs / 2);
      await trial.advance(after(nowMs + halfMs) - halfMs - nowMs);
      trial.chain.length = 0;
      const token = await freshToken(trial);
      await expectUsable(trial, token);
      const ageMs = Math.round((3 / 4) * lifetimeMs);
      await trial.advance(ageMs);
      await expectValid(trial, token, `a token of ${durationWords(ageMs)}, issued before ${boundary},`);
    },
  }),
];
