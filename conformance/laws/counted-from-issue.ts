import fc from 'fast-check';
import { durationWords } from '../../spec/index.js';
import { type Token, type Trial, Untested } from '../subject/index.js';
import {
  expectClock,
  expectExpiredLike,
  expectExpiredLikeAnother,
  expectUsable,
  expectValid,
  expectYoung,
  freshToken,
  more,
  oldestYoung,
  part,
  patient,
  twoTokens,
  youngestOld,
} from './ages.js';
import { law } from './law.js';

export const notFromTheStart = law<number>('expiry.counted-from-issue', {
  name: 'not-from-the-start',
  phase: 'clock',
  given: () => part,
  examples: () => [0.7],
  randomCases: () => 0,
  async judge(trial, at) {
    if (patient(trial.subject)) throw new Untested('this takes more than one token lifetime, too long for --clock wait');
    const early = await freshToken(trial);
    await expectUsable(trial, early);
    await trial.advance(oldestYoung(trial));
    const aged = await trial.use(early, {}, 'use');
    await trial.advance(Math.round(trial.protocol.token.lifetimeMs * (0.5 + 2 * at)));
    trial.expectServed(await trial.use(await freshToken(trial), {}, 'use'), 'a new token, issued long after all others,');
    // Where the first token had ended too soon, tokens are short-lived anyway, and the start of the server is not the reason.
    expectYoung(trial, aged);
    const token = await freshToken(trial);
    await trial.advance(oldestYoung(trial));
    await expectValid(trial, token, 'a new token, issued long after all others and no older than one that was accepted,');
  },
});

/** A token whose nonce had waited so long; undefined where the nonce is refused by then. */
async function lateToken(trial: Trial, waitMs: number): Promise<Token | undefined> {
  trial.chain.length = 0;
  const nonce = await trial.challenge();
  await trial.advance(waitMs);
  const exchange = await trial.exchange(nonce);
  return trial.granted(exchange) ? trial.tokenFrom(exchange, trial.user) : undefined;
}

export const countedFromIssue = [
  law<number>('expiry.counted-from-issue', {
    name: 'not-from-first-use',
    phase: 'clock',
    sharesClock: 'with others',
    given: () => part,
    examples: () => [0.5],
    randomCases: (runs, subject) => more(runs, patient(subject)),
    async judge(trial, at) {
      const [usedAtOnce, usedLate] = await twoTokens(trial);
      await expectUsable(trial, usedAtOnce);
      const first = Math.round(oldestYoung(trial) * Math.max(0.05, at));
      await trial.advance(first);
      await expectUsable(trial, usedAtOnce);
      await expectUsable(trial, usedLate);
      await trial.advance(youngestOld(trial) - first);
      const what = 'a token that was first used long after its issue';
      await expectExpiredLike(trial, usedAtOnce, usedLate, { what, byMs: first, see: 'expiry.not-sliding and expiry.refused-after' });
    },
  }),
  law<number>('expiry.counted-from-issue', {
    name: 'not-from-another-login',
    phase: 'clock',
    sharesClock: 'with others',
    given: () => part,
    examples: () => [0.5],
    randomCases: (runs, subject) => more(runs, patient(subject)),
    async judge(trial, at) {
      const token = await freshToken(trial);
      const first = Math.round(oldestYoung(trial) * Math.max(0.05, at));
      await trial.advance(first);
      const other = trial.subject.ableUsers.at(-1) ?? trial.user;
      await trial.login(other);
      await trial.login(token.user);
      await trial.advance(youngestOld(trial) - first);
      const what = `a token whose user and user ${other.id} logged in again meanwhile`;
      await expectExpiredLikeAnother(trial, token, { what, byMs: first, see: 'expiry.refused-after' });
    },
  }),

  law<number>('expiry.counted-from-issue', {
    name: 'not-from-an-earlier-login',
    phase: 'clock',
    given: () => part,
    examples: () => [0.6],
    randomCases: () => 0,
    async judge(trial, at) {
      if (patient(trial.subject)) throw new Untested('this takes two token lifetimes, too long for --clock wait');
      expectClock(trial);
      // Nothing that was issued before lives any more.
      await trial.advance(youngestOld(trial));
      trial.chain.length = 0;
      const earlier = await freshToken(trial);
      const first = Math.round(oldestYoung(trial) * at);
      await trial.advance(first);
      await expectUsable(trial, earlier);
      const token = await trial.login(earlier.user);
      if (token.value === earlier.value)
        throw new Untested('the server gives out a token that it issued before (see exchange.token-unique)');
      await trial.advance(first);
      await expectValid(trial, token, `a token of ${durationWords(first)} whose user had logged in ${durationWords(first)} before it`);
    },
  }),
  law<number>('expiry.counted-from-issue', {
    name: 'not-from-the-nonce',
    phase: 'clock',
    sharesClock: 'with others',
    given: ({ protocol }) => fc.constant(Math.round(protocol.token.lifetimeMs / 5)),
    randomCases: () => 1,
    async judge(trial, longestMs) {
      if (patient(trial.subject)) throw new Untested('this takes two token lifetimes, too long for --clock wait');
      const control = await freshToken(trial);
      await trial.advance(oldestYoung(trial));
      await expectUsable(trial, control);
      // Long enough to be noticed, and short enough for the nonce still to be valid: how long nonces live is open.
      const leastMs = 2 * (trial.protocol.token.lifetimeMs - oldestYoung(trial));
      let [waitMs, token] = [Math.min(60_000, longestMs), await lateToken(trial, Math.min(60_000, longestMs))];
      while (token === undefined && waitMs / 2 > leastMs) [waitMs, token] = [waitMs / 2, await lateToken(trial, waitMs / 2)];
      if (token === undefined) throw new Untested(`a nonce that is ${durationWords(waitMs)} old no longer works`);
      await trial.advance(oldestYoung(trial));
      await expectValid(trial, token, `a token whose nonce is older by ${durationWords(waitMs)}`);
    },
  }),
];
