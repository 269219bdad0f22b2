import fc from 'fast-check';
import { durationWords } from '../../spec/index.js';
import { basic, shaped } from '../arbitraries/index.js';
import { tokenOf } from '../expect/index.js';
import type { Nonce, Subject, Token, Trial } from '../subject/index.js';
import type { Exchange } from '../wire/index.js';

/** What a history holds in its hands. What each answer must be, the oracle knows. */
export interface Held {
  readonly nonces: Nonce[];
  readonly tokens: Token[];
}

/** One step of a history. */
export type Step = fc.AsyncCommand<Held, Trial>;

function step(name: string, possible: (held: Held) => boolean, run: (held: Held, trial: Trial) => Promise<void>): Step {
  return { check: possible, run, toString: () => name };
}

const always = () => true;
const userAt = (trial: Trial, index: number) => trial.subject.ableUsers[index % trial.subject.ableUsers.length] ?? trial.user;

function keep({ tokens }: Held, trial: Trial, exchange: Exchange, user: Trial['user']): void {
  if (exchange.answer !== undefined && tokenOf(exchange.answer, trial.protocol) !== undefined) tokens.push(trial.tokenFrom(exchange, user));
}

export const ask = step('ask for a challenge', always, async ({ nonces }, trial) => {
  nonces.push(await trial.challenge());
});

export const logIn = (index: number) =>
  step(`log in as user number ${index + 1}`, always, async (held, trial) => {
    const user = userAt(trial, index);
    const exchange = await trial.exchange(await trial.challenge(), user);
    trial.answered(exchange);
    trial.expectRight(exchange, `a login of user ${user.id} with a fresh nonce`);
    keep(held, trial, exchange, user);
  });

/** How long a nonce lives, and what displaces it, is open: the oracle tells of a refusal that nothing excuses. */
export const present = (which: number, index: number) =>
  step(
    `present nonce number ${which + 1} as user number ${index + 1}`,
    ({ nonces }) => nonces.length > which,
    async (held, trial) => {
      const user = userAt(trial, index);
      keep(held, trial, await trial.exchange(held.nonces[which] as Nonce, user), user);
    },
  );

export const use = (which: number, path: string) =>
  step(
    `use token number ${which + 1} on ${path}`,
    ({ tokens }) => tokens.length > which,
    async ({ tokens }, trial) => {
      const token = tokens[which] as Token;
      trial.expectRight(await trial.use(token, { path }), `${path} with token number ${which + 1} of the history`);
    },
  );

const useUnknown = (token: string) =>
  step('use an unknown token', always, async (_, trial) => {
    trial.expectRight(await trial.use(token), 'a token that was never issued');
  });

export const presentWithoutNonce = (index: number) =>
  step(`present the credentials of user number ${index + 1} without a nonce`, always, async (_, trial) => {
    const user = userAt(trial, index);
    const exchange = await trial.present(undefined, basic(trial.protocol.challenge.scheme, user.id, user.paraphrase));
    trial.answered(exchange);
    trial.expectRight(exchange, 'a login without a nonce');
  });

export const advance = (ms: number) =>
  step(`move the clock by ${durationWords(ms)}`, always, async (_, trial) => {
    await trial.advance(ms);
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
