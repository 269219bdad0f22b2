import fc from 'fast-check';
import { durationWords } from '../../spec/index.js';
import { seeing } from '../finding.js';
import { grantOf, inWords } from '../oracle/index.js';
import { type Subject, type Token, type Trial, Untested } from '../subject/index.js';
import type { Exchange } from '../wire/index.js';
import { law, single } from './law.js';

/** Instants are drawn as parts of the whole, so that they shrink to simple ones. */
export const part = fc.double({ min: 0, max: 1, noNaN: true });

/** What laws have in common that share the moves of the clock with others. */
export const shared = { phase: 'clock', sharesClock: 'with others' } as const;

const leastHasteMs = 250;

/**
 * The time between the issue of a token and its use that goes to the requests themselves: a dozen as slow as the slowest of this trial must
 * fit. It grows by large steps, so that trials which share a clock choose the same instant.
 */
function haste({ chain }: Trial): number {
  const dozenMs = Math.max(leastHasteMs, ...chain.map((link) => ('durationMs' in link ? 12 * link.durationMs : 0)));
  return leastHasteMs * 4 ** Math.ceil(Math.log2(dozenMs / leastHasteMs) / 2);
}

/** Whether the clock moves only by waiting. */
export const patient = ({ clock }: Subject) => clock.canMove && !clock.isInstant;
export const youngestOld = (trial: Trial) => trial.protocol.token.lifetimeMs + trial.subject.toleranceMs;
export const oldestYoung = (trial: Trial) => trial.protocol.token.lifetimeMs - trial.subject.toleranceMs - haste(trial);

/** How many random cases. Each costs a move of the clock and a round trip, so that there are some only where many runs are asked for. */
export const more = (runs: number, subject: Subject) => (patient(subject) ? 0 : Math.floor(runs / 20));

export function expectClock({ subject }: Trial): void {
  if (!subject.clock.canMove) throw new Untested('this needs a clock that can be moved (see --clock)', 'call');
}

/** Nothing that was issued before lives any more, and none of it is evidence. */
async function beginAnew(trial: Trial): Promise<void> {
  expectClock(trial);
  await trial.advance(youngestOld(trial));
  trial.chain.length = 0;
}

export async function freshToken(trial: Trial, user = trial.user): Promise<Token> {
  const { subject } = trial;
  expectClock(trial);
  if (subject.facts.noUse !== undefined) throw new Untested(subject.facts.noUse);
  const token = await trial.login(user);
  if (!subject.oracle.tokens.wasHandedOutAgain(token.value) || patient(subject)) return token;
  // A target that hands a living token out again gives a new one when the old one has ended.
  await beginAnew(trial);
  return trial.login(user);
}

/** Two tokens of the same age. A target that hands a living token out again gives different ones to two users only. */
export async function twoTokens(trial: Trial): Promise<[Token, Token]> {
  const { oracle, ableUsers } = trial.subject;
  if (!oracle.tokens.hasRepetitions || patient(trial.subject)) {
    // One after the other, because another law asks what simultaneous logins of one user do to each other.
    const first = await freshToken(trial);
    const second = await trial.login();
    if (first.value !== second.value || patient(trial.subject)) return [first, second];
  }
  await beginAnew(trial);
  const tokens: [Token, Token] = [await trial.login(ableUsers.at(-1)), await trial.login(trial.user)];
  if (tokens[0].value === tokens[1].value)
    throw new Untested('the server gives the user the same token again, so there is no second token to test with');
  return tokens;
}

/** Uses a token that only its age could be a reason to refuse. */
export async function expectValid(trial: Trial, token: Token, what: string): Promise<void> {
  const exchange = await trial.use(token, {}, 'use');
  const { mostMs } = trial.ageAt(token, exchange);
  if (mostMs > trial.protocol.token.lifetimeMs - trial.subject.toleranceMs)
    throw new Untested('the server answered so slowly that the token may have expired meanwhile');
  trial.expectServed(exchange, what);
}

async function useExpired(trial: Trial, token: Token): Promise<Exchange> {
  const exchange = await trial.use(token, {}, 'refused-expired');
  const { leastMs } = trial.ageAt(token, exchange);
  if (leastMs < youngestOld(trial)) throw new Untested('the clock did not move far enough to expire the token');
  return exchange;
}

export async function expectExpired(trial: Trial, token: Token, what: string): Promise<void> {
  trial.expectRefused(await useExpired(trial, token), what);
}

const lives = (trial: Trial, exchange: Exchange) => grantOf(trial.answered(exchange), trial.protocol) !== 'nothing';

/** The control: a token that nothing prolonged is refused by now. Where it is not, another law tells it, and nothing can be said here. */
export async function controlExpired(trial: Trial, token: Token, see: readonly string[]): Promise<void> {
  const exchange = await useExpired(trial, token);
  if (lives(trial, exchange)) throw new Untested(seeing('expired tokens are still accepted', see, inWords(exchange, trial.protocol)));
}

/** A token that something might have prolonged. */
interface Prolonged {
  /** The token in words. */
  readonly what: string;
  /** By how much it might have been prolonged. */
  readonly byMs: number;
  /** The rows that tell of tokens which live too long anyway. */
  readonly see: readonly string[];
}

/** Whether a control lives a little too long; when it is tried again, a token that ends a little late has ended, and one with `byMs` more has not. */
async function endsLate(trial: Trial, control: Token, { byMs, see }: Prolonged): Promise<boolean> {
  if (!lives(trial, await useExpired(trial, control))) return false;
  await trial.advance(laterBy(byMs));
  await controlExpired(trial, control, see);
  return true;
}

const laterBy = (byMs: number) => Math.max(1, Math.round(byMs / 2));

/** Expects that a token which something might have prolonged is refused when a control of the same age is. */
export async function expectExpiredLike(trial: Trial, control: Token, token: Token, prolonged: Prolonged): Promise<void> {
  await endsLate(trial, control, prolonged);
  await expectExpired(trial, token, prolonged.what);
}

/** The same where the control can only be issued afterwards. The evidence shows the first token alone. */
async function expectExpiredLikeAnother(trial: Trial, token: Token, prolonged: Prolonged): Promise<void> {
  const used = async () => ({ exchange: await useExpired(trial, token), chain: trial.chain.slice() });
  const atItsEnd = await used();
  if (!lives(trial, atItsEnd.exchange)) return;
  await trial.advance(laterBy(prolonged.byMs));
  const later = await used();
  const other = await freshToken(trial);
  await trial.advance(youngestOld(trial));
  const { exchange, chain } = (await endsLate(trial, other, prolonged)) ? later : atItsEnd;
  trial.chain.splice(0, trial.chain.length, ...chain);
  trial.expectRefused(exchange, prolonged.what);
}

/** In the middle of a law, a refusal means that something else is wrong. */
export async function expectUsable(trial: Trial, token: Token): Promise<void> {
  expectYoung(trial, await trial.use(token, {}, 'use'));
}

function expectYoung(trial: Trial, exchange: Exchange): void {
  if (!lives(trial, exchange))
    throw new Untested(
      seeing('a token that had not expired was refused', ['expiry.valid-until', 'token.reusable'], inWords(exchange, trial.protocol)),
    );
}

const row = 'expiry.counted-from-issue';

export const notFromTheStart = single(row, {
  name: 'not-from-the-start',
  phase: 'clock',
  async judge(trial) {
    if (patient(trial.subject)) throw new Untested('this takes more than one token lifetime, too long for --clock wait');
    const early = await freshToken(trial);
    await expectUsable(trial, early);
    await trial.advance(oldestYoung(trial));
    const aged = await trial.use(early, {}, 'use');
    await trial.advance(Math.round(trial.protocol.token.lifetimeMs * 1.9));
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

/** Something happens at some part of the life of a token, and must not prolong it. */
const inItsLife = (name: string, judge: (trial: Trial, middle: () => Promise<number>) => Promise<void>) =>
  law<number>(row, {
    ...shared,
    name,
    given: () => part,
    examples: () => [0.5],
    randomCases: more,
    judge: (trial, at) =>
      judge(trial, async () => {
        const firstMs = Math.round(oldestYoung(trial) * Math.max(0.05, at));
        await trial.advance(firstMs);
        return firstMs;
      }),
  });

export const countedFromIssue = [
  inItsLife('not-from-first-use', async (trial, middle) => {
    const [usedAtOnce, usedLate] = await twoTokens(trial);
    await expectUsable(trial, usedAtOnce);
    const byMs = await middle();
    await expectUsable(trial, usedAtOnce);
    await expectUsable(trial, usedLate);
    await trial.advance(youngestOld(trial) - byMs);
    const what = 'a token that was first used long after its issue';
    await expectExpiredLike(trial, usedAtOnce, usedLate, { what, byMs, see: ['expiry.not-sliding', 'expiry.refused-after'] });
  }),
  inItsLife('not-from-another-login', async (trial, middle) => {
    const token = await freshToken(trial);
    const byMs = await middle();
    const other = trial.subject.ableUsers.at(-1) ?? trial.user;
    await trial.login(other);
    await trial.login(token.user);
    await trial.advance(youngestOld(trial) - byMs);
    const what = `a token whose user and user ${other.id} logged in again meanwhile`;
    await expectExpiredLikeAnother(trial, token, { what, byMs, see: ['expiry.refused-after'] });
  }),
  single(row, {
    ...shared,
    name: 'not-from-an-earlier-login',
    async judge(trial) {
      if (patient(trial.subject)) throw new Untested('this takes two token lifetimes, too long for --clock wait');
      await beginAnew(trial);
      const earlier = await freshToken(trial);
      const first = Math.round(oldestYoung(trial) * 0.6);
      await trial.advance(first);
      await expectUsable(trial, earlier);
      const token = await trial.login(earlier.user);
      if (token.value === earlier.value)
        throw new Untested(seeing('the server gives out a token that it issued before', ['exchange.token-unique']));
      await trial.advance(first);
      await expectValid(trial, token, `a token of ${durationWords(first)} whose user had logged in ${durationWords(first)} before it`);
    },
  }),
  single(row, {
    ...shared,
    name: 'not-from-the-nonce',
    async judge(trial) {
      if (patient(trial.subject)) throw new Untested('this takes two token lifetimes, too long for --clock wait');
      const { lifetimeMs } = trial.protocol.token;
      const control = await freshToken(trial);
      await trial.advance(oldestYoung(trial));
      await expectUsable(trial, control);
      // Long enough to be noticed, and short enough for the nonce still to be valid: how long nonces live is open.
      const leastMs = 2 * (lifetimeMs - oldestYoung(trial));
      let waitMs = Math.min(60_000, Math.round(lifetimeMs / 5));
      let token = await lateToken(trial, waitMs);
      while (token === undefined && waitMs / 2 > leastMs) {
        waitMs /= 2;
        token = await lateToken(trial, waitMs);
      }
      if (token === undefined) throw new Untested(`a nonce that is ${durationWords(waitMs)} old no longer works`);
      await trial.advance(oldestYoung(trial));
      await expectValid(trial, token, `a token whose nonce is older by ${durationWords(waitMs)}`);
    },
  }),
];
