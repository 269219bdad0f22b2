import fc from 'fast-check';
import { durationWords } from '../../spec/index.js';
import { giftOf, inWords, type Subject, type Token, type Trial, Untested } from '../subject/index.js';
import type { Exchange } from '../wire/exchange.js';
import { law } from './law.js';
import { workingToken } from './token.js';

/** Instants are drawn as parts of the whole, so that they shrink to simple ones. */
const part = fc.double({ min: 0, max: 1, noNaN: true });

interface AgeOfUser {
  readonly user: number;
  readonly at: number;
}
const ageOfUser: fc.Arbitrary<AgeOfUser> = fc.record({ user: fc.nat(7), at: part });

/** The users beside the first, as many as a slow clock allows. */
const atEveryOther = (subject: Subject, at: number): AgeOfUser[] =>
  patient({ subject }) ? [] : subject.ableUsers.slice(1).map((_, index) => ({ user: index + 1, at }));

/** What a request and its answer may take, on top of the tolerance, before a token is no longer surely young. */
const haste = 250;

const few = (runs: number, trialIsPatient: boolean) => (trialIsPatient ? 0 : Math.ceil(runs / 10));

async function freshToken(trial: Trial, user = trial.user): Promise<Token> {
  if (!trial.subject.clock.canMove) throw new Untested('there is no clock to move (see --clock)');
  if (trial.subject.facts.noUse !== undefined) throw new Untested(trial.subject.facts.noUse);
  return trial.login(user);
}

/** Uses a token of which nothing but its age may be the reason of a refusal. */
async function expectValid(trial: Trial, token: Token, what: string): Promise<void> {
  const exchange = await trial.use(token, {}, 'use');
  const { mostMs } = trial.ageAt(token, exchange);
  if (mostMs > trial.protocol.token.lifetimeMs - trial.subject.toleranceMs)
    throw new Untested('the target answered too slowly to be sure that the token was still young');
  trial.expectServed(exchange, what);
}

async function useExpired(trial: Trial, token: Token): Promise<Exchange> {
  const exchange = await trial.use(token, {}, 'refused-expired');
  const { leastMs } = trial.ageAt(token, exchange);
  if (leastMs < trial.protocol.token.lifetimeMs + trial.subject.toleranceMs)
    throw new Untested('the clock did not move far enough for the token to be surely old');
  return exchange;
}

async function expectExpired(trial: Trial, token: Token, what: string): Promise<void> {
  trial.expectRefused(await useExpired(trial, token), what);
}

/** A token of which only the age says anything must be refused by now; otherwise another law speaks of it. */
async function controlExpired(trial: Trial, token: Token, see: string): Promise<void> {
  const exchange = await useExpired(trial, token);
  if (giftOf(trial.answered(exchange), trial.protocol) !== 'nothing')
    throw new Untested(`tokens do not expire in time to begin with (see ${see}; ${inWords(exchange, trial.protocol)})`);
}

const patient = (trial: Trial | { subject: { clock: { kind: string } } }) => trial.subject.clock.kind === 'wait';
const youngestOld = (trial: Trial) => trial.protocol.token.lifetimeMs + trial.subject.toleranceMs;
const oldestYoung = (trial: Trial) => trial.protocol.token.lifetimeMs - trial.subject.toleranceMs - haste;
const minute = 60_000;
const day = 24 * 60 * minute;
const laterMs = [
  1,
  minute,
  15 * minute,
  44 * minute,
  45 * minute,
  60 * minute,
  12 * 60 * minute,
  day - 45 * minute,
  day,
  7 * day,
  31 * day,
  366 * day,
];

export const expiry = [
  // First of those that move the clock: a server may have started just now.
  law<number>('expiry.counted-from-issue', {
    name: 'not-from-the-start',
    phase: 'clock',
    given: () => part,
    examples: () => [0.7],
    randomCases: () => 0,
    async judge(trial, at) {
      if (patient(trial)) throw new Untested('it takes more than one lifetime, too long for --clock wait');
      const early = await freshToken(trial);
      await trial.advance(oldestYoung(trial));
      await expectUsable(trial, early);
      await trial.advance(Math.round(trial.protocol.token.lifetimeMs * (0.5 + 2 * at)));
      const token = await freshToken(trial);
      await trial.advance(oldestYoung(trial));
      await expectValid(trial, token, 'a token issued long after everything before it, and as young as one that was honoured,');
    },
  }),
  law<AgeOfUser>('expiry.valid-until', {
    phase: 'clock',
    given: () => ageOfUser,
    examples: (subject) => [{ user: 0, at: 1 }, { user: 0, at: 0.5 }, ...atEveryOther(subject, 1)],
    randomCases: (runs, subject) => few(runs, patient({ subject })),
    async judge(trial, { user: index, at }, { ableUsers }) {
      const user = ableUsers[index % ableUsers.length] ?? trial.user;
      await workingToken(trial, user);
      trial.chain.length = 0;
      const token = await freshToken(trial, user);
      const age = Math.round(oldestYoung(trial) * at);
      await trial.advance(age);
      await expectValid(trial, token, `a token of ${durationWords(age)}`);
    },
  }),
  law<AgeOfUser>('expiry.refused-after', {
    phase: 'clock',
    given: () => ageOfUser,
    examples: (subject) => [{ user: 0, at: 0 }, { user: 0, at: 0.02 }, ...atEveryOther(subject, 0)],
    randomCases: (runs, subject) => few(runs, patient({ subject })),
    async judge(trial, { user: index, at }, { ableUsers }) {
      const token = await freshToken(trial, ableUsers[index % ableUsers.length]);
      const age = Math.round(youngestOld(trial) + at * trial.protocol.token.lifetimeMs);
      await trial.advance(age);
      await expectExpired(trial, token, `a token of ${durationWords(age)}`);
    },
  }),
  law<readonly number[]>('expiry.for-ever', {
    phase: 'clock',
    given: (subject) => fc.array(patient({ subject }) ? fc.constant(1000) : fc.constantFrom(...laterMs), { minLength: 1, maxLength: 4 }),
    examples: (subject) => {
      const { lifetimeMs } = subject.protocol.token;
      return patient({ subject }) ? [[1000]] : [laterMs, [Math.max(minute, day - lifetimeMs)]];
    },
    randomCases: (runs, subject) => few(runs, patient({ subject })),
    async judge(trial, steps) {
      const token = await freshToken(trial);
      await trial.advance(youngestOld(trial));
      await controlExpired(trial, token, 'expiry.refused-after');
      for (const step of steps) {
        await trial.advance(step);
        await expectExpired(trial, token, `an expired token, ${durationWords(step)} after it was refused last,`);
      }
      await trial.login(token.user);
      await expectExpired(trial, token, 'an expired token after its user logged in again');
    },
  }),
  law<readonly number[]>('expiry.not-sliding', {
    phase: 'clock',
    given: () => fc.array(part, { minLength: 1, maxLength: 4 }),
    examples: () => [[0.5], [0.3, 0.6, 0.9], [0.98]],
    randomCases: (runs, subject) => few(runs, patient({ subject })),
    async judge(trial, at) {
      const unused = await freshToken(trial);
      const used = await freshToken(trial);
      await expectUsable(trial, used);
      let now = 0;
      for (const each of [...at].sort()) {
        const next = Math.round(oldestYoung(trial) * each);
        await trial.advance(next - now);
        now = Math.max(now, next);
        await expectUsable(trial, used);
      }
      await trial.advance(youngestOld(trial) - now);
      await controlExpired(trial, unused, 'expiry.refused-after');
      await expectExpired(trial, used, 'a token that was used while it was young');
    },
  }),
  law<number>('expiry.counted-from-issue', {
    name: 'not-from-first-use',
    phase: 'clock',
    given: () => part,
    examples: () => [0.5],
    randomCases: (runs, subject) => few(runs, patient({ subject })),
    async judge(trial, at) {
      const usedAtOnce = await freshToken(trial);
      const usedLate = await freshToken(trial);
      await expectUsable(trial, usedAtOnce);
      const first = Math.round(oldestYoung(trial) * Math.max(0.05, at));
      await trial.advance(first);
      await expectUsable(trial, usedAtOnce);
      await expectUsable(trial, usedLate);
      await trial.advance(youngestOld(trial) - first);
      await controlExpired(trial, usedAtOnce, 'expiry.not-sliding and expiry.refused-after');
      await expectExpired(trial, usedLate, 'a token that was first used long after its issue');
    },
  }),
  law<number>('expiry.counted-from-issue', {
    name: 'not-from-another-login',
    phase: 'clock',
    given: () => part,
    examples: () => [0.5],
    randomCases: (runs, subject) => few(runs, patient({ subject })),
    async judge(trial, at) {
      const token = await freshToken(trial);
      const first = Math.round(oldestYoung(trial) * Math.max(0.05, at));
      await trial.advance(first);
      const other = trial.subject.ableUsers.at(-1) ?? trial.user;
      await trial.login(other);
      await trial.login(token.user);
      await trial.advance(youngestOld(trial) - first);
      const control = trial.chain.length;
      await expectExpired(trial, token, `a token whose user and user ${other.id} logged in again meanwhile`).catch(
        async (error: unknown) => {
          const shown = trial.chain.slice(0, control + 1);
          const alone = await freshToken(trial);
          await trial.advance(youngestOld(trial));
          await controlExpired(trial, alone, 'expiry.refused-after');
          trial.chain.splice(0, trial.chain.length, ...shown);
          throw error;
        },
      );
    },
  }),
];

/** In the middle of a law, a refusal means that something else is wrong. */
async function expectUsable(trial: Trial, token: Token): Promise<void> {
  const exchange = await trial.use(token, {}, 'use');
  if (giftOf(trial.answered(exchange), trial.protocol) === 'nothing')
    throw new Untested(`a young token was refused (see expiry.valid-until and token.reusable; ${inWords(exchange, trial.protocol)})`);
}
