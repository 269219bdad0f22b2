import fc from 'fast-check';
import { grantOf, inWords } from '../oracle/index.js';
import { type Subject, type Token, type Trial, Untested } from '../subject/index.js';
import type { Exchange } from '../wire/index.js';

/** Instants are drawn as parts of the whole, so that they shrink to simple ones. */
export const part = fc.double({ min: 0, max: 1, noNaN: true });

export interface AgeOfUser {
  readonly user: number;
  readonly at: number;
}
export const ageOfUser: fc.Arbitrary<AgeOfUser> = fc.record({ user: fc.nat(7), at: part });

/** The users beside the first, as many as a slow clock allows. */
export const atEveryOther = (subject: Subject, at: number): AgeOfUser[] =>
  patient(subject) ? [] : subject.ableUsers.slice(1).map((_, index) => ({ user: index + 1, at }));

const leastHasteMs = 250;

/**
 * The time between the issue of a token and its use that goes to the requests themselves: a dozen as slow as the slowest of this trial must
 * fit. It grows by doubling, so that trials which share a clock choose the same instant.
 */
function haste({ chain }: Trial): number {
  const dozenMs = Math.max(leastHasteMs, ...chain.map((link) => ('durationMs' in link ? 12 * link.durationMs : 0)));
  return leastHasteMs * 2 ** Math.ceil(Math.log2(dozenMs / leastHasteMs));
}

/** How many random cases. Each costs a move of the clock and a round trip, so that `more` gives some only where many runs are asked for. */
export const more = (runs: number, trialIsPatient: boolean) => (trialIsPatient ? 0 : Math.floor(runs / 20));
export const few = (runs: number, trialIsPatient: boolean) => (trialIsPatient ? 0 : Math.ceil(runs / 10));

export function expectClock({ subject }: Trial): void {
  if (!subject.clock.canMove) throw new Untested('this needs a clock that can be moved (see --clock)', 'call');
}

export async function freshToken(trial: Trial, user = trial.user): Promise<Token> {
  const { subject } = trial;
  expectClock(trial);
  if (subject.facts.noUse !== undefined) throw new Untested(subject.facts.noUse);
  const token = await trial.login(user);
  if (!subject.oracle.tokens.wasHandedOutAgain(token.value) || patient(subject)) return token;
  // A target that hands a living token out again gives a new one when the old one has ended.
  await trial.advance(youngestOld(trial));
  trial.chain.length = 0;
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
  expectClock(trial);
  await trial.advance(youngestOld(trial));
  trial.chain.length = 0;
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
  if (leastMs < trial.protocol.token.lifetimeMs + trial.subject.toleranceMs)
    throw new Untested('the clock did not move far enough to expire the token');
  return exchange;
}

export async function expectExpired(trial: Trial, token: Token, what: string): Promise<void> {
  trial.expectRefused(await useExpired(trial, token), what);
}

/** The control: a token that nothing prolonged is refused by now. Where it is not, another law tells it, and nothing can be said here. */
export async function controlExpired(trial: Trial, token: Token, see: string): Promise<void> {
  const exchange = await useExpired(trial, token);
  if (lives(trial, exchange)) throw new Untested(`expired tokens are still accepted (see ${see}; ${inWords(exchange, trial.protocol)})`);
}

const lives = (trial: Trial, exchange: Exchange) => grantOf(trial.answered(exchange), trial.protocol) !== 'nothing';

/** A token that something might have prolonged. */
interface Prolonged {
  /** The token in words. */
  readonly what: string;
  /** By how much it might have been prolonged. */
  readonly byMs: number;
  /** The rows that tell of tokens which live too long anyway. */
  readonly see: string;
}

/** When a token that lives too long is tried again. By then a token that ends a little late has ended, and one with `byMs` more has not. */
const laterBy = (byMs: number) => Math.max(1, Math.round(byMs / 2));

/** Expects that a token which something might have prolonged is refused when a control of the same age is. */
export async function expectExpiredLike(trial: Trial, control: Token, token: Token, { what, byMs, see }: Prolonged): Promise<void> {
  if (lives(trial, await useExpired(trial, control))) {
    await trial.advance(laterBy(byMs));
    await controlExpired(trial, control, see);
  }
  await expectExpired(trial, token, what);
}

/** The same where the control can only be issued afterwards. The evidence shows the first token alone. */
export async function expectExpiredLikeAnother(trial: Trial, token: Token, { what, byMs, see }: Prolonged): Promise<void> {
  const atItsEnd = await useExpired(trial, token);
  if (!lives(trial, atItsEnd)) return;
  const shown = trial.chain.slice();
  await trial.advance(laterBy(byMs));
  const later = await useExpired(trial, token);
  const shownLater = trial.chain.slice();
  const other = await freshToken(trial);
  await trial.advance(youngestOld(trial));
  const isLate = lives(trial, await useExpired(trial, other));
  if (isLate) {
    await trial.advance(laterBy(byMs));
    await controlExpired(trial, other, see);
  }
  trial.chain.splice(0, trial.chain.length, ...(isLate ? shownLater : shown));
  trial.expectRefused(isLate ? later : atItsEnd, what);
}

/** Whether the clock moves only by waiting. */
export const patient = ({ clock }: Subject) => clock.canMove && !clock.isInstant;
export const youngestOld = (trial: Trial) => trial.protocol.token.lifetimeMs + trial.subject.toleranceMs;
export const oldestYoung = (trial: Trial) => trial.protocol.token.lifetimeMs - trial.subject.toleranceMs - haste(trial);
/** In the middle of a law, a refusal means that something else is wrong. */
export async function expectUsable(trial: Trial, token: Token): Promise<void> {
  expectYoung(trial, await trial.use(token, {}, 'use'));
}

export function expectYoung(trial: Trial, exchange: Exchange): void {
  if (grantOf(trial.answered(exchange), trial.protocol) === 'nothing')
    throw new Untested(
      `a token that had not expired was refused (see expiry.valid-until and token.reusable; ${inWords(exchange, trial.protocol)})`,
    );
}
