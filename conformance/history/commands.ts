import fc from 'fast-check';
import { durationWords } from '../../spec/index.js';
import { basic, shaped } from '../arbitraries/index.js';
import { tokenOf } from '../expect/index.js';
import { grantOf, inWords, isLimited } from '../ledger/index.js';
import { type Subject, type Trial, Violation } from '../subject/index.js';
import type { Exchange } from '../wire/index.js';
import { expectationOfNonce, expectationOfToken, type Model } from './model.js';

/** One step of a history. */
export type Step = fc.AsyncCommand<Model, Trial>;

/** What a clock that runs on by itself may add to an age within one history: no more than a part of a short life. */
const driftOf = (lifetimeMs: number) => Math.min(30_000, lifetimeMs / 20);

function step(name: string, possible: (model: Model) => boolean, run: (model: Model, trial: Trial) => Promise<void>): Step {
  return { check: possible, run, toString: () => name };
}

const always = () => true;
const userAt = (trial: Trial, index: number) => trial.subject.ableUsers[index % trial.subject.ableUsers.length] ?? trial.user;

function keep(model: Model, trial: Trial, exchange: Exchange, user: Trial['user']): void {
  if (exchange.answer === undefined || tokenOf(exchange.answer, trial.protocol) === undefined) return;
  model.tokens.push({ token: trial.tokenFrom(exchange, user), heldSinceMs: model.movedMs });
}

export const ask = step('ask for a challenge', always, async (model, trial) => {
  model.steps += 1;
  model.nonces.push({ nonce: await trial.challenge(), stepsSince: model.steps, presented: false });
});

export const logIn = (index: number) =>
  step(`log in as user number ${index + 1}`, always, async (model, trial) => {
    const user = userAt(trial, index);
    model.steps += 1;
    const exchange = await trial.exchange(await trial.challenge(), user);
    if (!isLimited(trial.answered(exchange)) && tokenOf(trial.answered(exchange), trial.protocol) === undefined) {
      throw new Violation(`user ${user.id} logs in with a fresh nonce`, inWords(exchange, trial.protocol), undefined, 'login');
    }
    keep(model, trial, exchange, user);
  });

export const present = (which: number, index: number) =>
  step(
    `present nonce number ${which + 1} as user number ${index + 1}`,
    (model) => model.nonces.length > which,
    async (model, trial) => {
      const held = model.nonces[which] as Model['nonces'][number];
      const user = userAt(trial, index);
      const expected = expectationOfNonce(held, model);
      held.presented = true;
      model.steps += 1;
      const exchange = await trial.exchange(held.nonce, user);
      const answer = trial.answered(exchange);
      if (expected === 'granted' && !isLimited(answer) && tokenOf(answer, trial.protocol) === undefined) {
        throw new Violation('a nonce that was never presented opens', inWords(exchange, trial.protocol), undefined, 'login');
      }
      keep(model, trial, exchange, user);
    },
  );

export const use = (which: number, path: string) =>
  step(
    `use token number ${which + 1} on ${path}`,
    (model) => model.tokens.length > which,
    async (model, trial) => {
      const held = model.tokens[which] as Model['tokens'][number];
      const { lifetimeMs } = trial.protocol.token;
      const expected = expectationOfToken(held, model, lifetimeMs, driftOf(lifetimeMs));
      const exchange = await trial.use(held.token, { path });
      if (expected === 'granted') trial.expectServed(exchange, `${path} with a valid token`, 'valid-token');
      if (expected === 'refused') trial.expectRefused(exchange, 'an expired token', 'expired-token');
    },
  );

const useUnknown = (token: string) =>
  step('use an unknown token', always, async (_model, trial) => {
    trial.expectRefused(await trial.use(token), 'a token that was never issued', 'unknown-token');
  });

export const presentWithoutNonce = (index: number) =>
  step(`present the credentials of user number ${index + 1} without a nonce`, always, async (_model, trial) => {
    const user = userAt(trial, index);
    const exchange = await trial.present(undefined, basic(trial.protocol.challenge.scheme, user.id, user.paraphrase));
    if (grantOf(trial.answered(exchange), trial.protocol) !== 'nothing')
      throw new Violation('credentials without a nonce are refused', inWords(exchange, trial.protocol), undefined, 'wrong-login');
  });

export const advance = (ms: number) =>
  step(`move the clock by ${durationWords(ms)}`, always, async (model, trial) => {
    await trial.advance(ms);
    model.movedMs += ms;
    model.steps += 1;
  });

/** The steps that this target allows, to draw histories from. */
export function steps(subject: Subject): fc.Arbitrary<Step>[] {
  const user = fc.nat(Math.max(0, subject.ableUsers.length - 1));
  const { lifetimeMs } = subject.protocol.token;
  const movable = subject.clock.canMove && subject.clock.isInstant;
  return [
    fc.constant(ask),
    user.map(logIn),
    fc.tuple(fc.nat(2), user).map(([which, index]) => present(which, index)),
    fc.tuple(fc.nat(3), fc.constantFrom(...subject.collections)).map(([which, name]) => use(which, `/${name}`)),
    fc.tuple(fc.nat(3), fc.constantFrom(...subject.collections)).map(([which, name]) => use(which, `/${name}`)),
    shaped(subject.protocol.exchange.tokenPattern).map(useUnknown),
    user.map(presentWithoutNonce),
    ...(movable ? [fc.constantFrom(1 / 9, 1 / 3, 1 / 2, 8 / 9, 1.1).map((part) => advance(Math.round(lifetimeMs * part)))] : []),
  ];
}
