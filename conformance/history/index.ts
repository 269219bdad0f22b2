import fc from 'fast-check';
import { durationWords } from '../../spec/index.js';
import { shaped } from '../arbitraries/index.js';
import { tokenOf } from '../expect/index.js';
import { law } from '../laws/index.js';
import type { Nonce, Subject, Token, Trial } from '../subject/index.js';
import type { Exchange } from '../wire/index.js';

/** What a history holds in its hands. What each answer must be, the oracle knows. */
interface Held {
  readonly nonces: Nonce[];
  readonly tokens: Token[];
}

/** One step of a history. */
type Step = fc.AsyncCommand<Held, Trial>;

function step(name: string, run: (held: Held, trial: Trial) => Promise<void>, check: (held: Held) => boolean = () => true): Step {
  return { check, run, toString: () => name };
}

const userAt = (trial: Trial, index: number) => trial.subject.ableUsers[index % trial.subject.ableUsers.length] ?? trial.user;

function keep({ tokens }: Held, trial: Trial, exchange: Exchange, user: Trial['user']): void {
  if (exchange.answer !== undefined && tokenOf(exchange.answer, trial.protocol) !== undefined) tokens.push(trial.tokenFrom(exchange, user));
}

const ask = step('ask for a challenge', async ({ nonces }, trial) => void nonces.push(await trial.challenge()));

const logIn = (index: number) =>
  step(`log in as user number ${index + 1}`, async (held, trial) => {
    const user = userAt(trial, index);
    const exchange = await trial.exchange(await trial.challenge(), user);
    trial.answered(exchange);
    trial.expectRight(exchange, `a login of user ${user.id} with a fresh nonce`);
    keep(held, trial, exchange, user);
  });

/** How long a nonce lives, and what displaces it, is open: the oracle tells of a refusal that nothing excuses. */
const present = (which: number, index: number) =>
  step(
    `present nonce number ${which + 1} as user number ${index + 1}`,
    async (held, trial) => {
      const user = userAt(trial, index);
      keep(held, trial, await trial.exchange(held.nonces[which] as Nonce, user), user);
    },
    ({ nonces }) => nonces.length > which,
  );

const use = (which: number, path: string) =>
  step(
    `use token number ${which + 1} on ${path}`,
    async ({ tokens }, trial) =>
      trial.expectRight(await trial.use(tokens[which] as Token, { path }), `${path} with token number ${which + 1} of the history`),
    ({ tokens }) => tokens.length > which,
  );

const useUnknown = (token: string) =>
  step('use an unknown token', async (_, trial) => trial.expectRight(await trial.use(token), 'a token that was never issued'));

const presentWithoutNonce = (index: number) =>
  step(`present the credentials of user number ${index + 1} without a nonce`, async (_, trial) => {
    const exchange = await trial.present(undefined, trial.credentialsOf(userAt(trial, index)));
    trial.answered(exchange);
    trial.expectRight(exchange, 'a login without a nonce');
  });

/** Moves the clock by a part of the life of a token. */
function advance({ protocol }: Subject, part: number): Step {
  const ms = Math.round(protocol.token.lifetimeMs * part);
  return step(`move the clock by ${durationWords(ms)}`, (_, trial) => trial.advance(ms));
}

/** The steps that this target allows, to draw histories from. */
function steps(subject: Subject): fc.Arbitrary<Step>[] {
  const user = fc.nat(Math.max(0, subject.ableUsers.length - 1));
  const uses = fc.tuple(fc.nat(3), fc.constantFrom(...subject.collections)).map(([which, name]) => use(which, `/${name}`));
  return [
    fc.constant(ask),
    user.map(logIn),
    fc.tuple(fc.nat(2), user).map(([which, index]) => present(which, index)),
    // Twice as often as the others.
    uses,
    uses,
    shaped(subject.protocol.exchange.tokenPattern).map(useUnknown),
    user.map(presentWithoutNonce),
    ...(subject.clock.isInstant ? [fc.constantFrom(1 / 9, 1 / 3, 1 / 2, 8 / 9, 1.1).map((part) => advance(subject, part))] : []),
  ];
}

/** Histories that are always tried: orders in which what one step leaves behind has been known to change another. */
function exampleHistories(subject: Subject): Step[][] {
  const last = Math.max(0, subject.ableUsers.length - 1);
  const of = (part: number) => advance(subject, part);
  const [first, second, third] = [0, 1, 2].map((which) => use(which, `/${subject.collections[0]}`)) as [Step, Step, Step];
  const beside = [logIn(0), logIn(last), ask, second, first, presentWithoutNonce(last), present(0, 0), first, second];
  if (!subject.clock.isInstant) return [beside];
  return [
    beside,
    [logIn(0), of(8 / 9), logIn(0), logIn(last), of(1 / 3), first, second, third, first],
    [logIn(0), of(1.1), first, presentWithoutNonce(0), logIn(last), first, second, presentWithoutNonce(last)],
  ];
}

const stepsOfOneHistory = 12;

/** Random histories of all the steps, held against the oracle. */
export const history = law<Iterable<fc.AsyncCommand<Held, Trial, boolean>>>('protection.history', {
  phase: 'history',
  given: (subject: Subject, replayPath?: string) =>
    fc.commands(steps(subject) as fc.Arbitrary<Step>[], {
      maxCommands: stepsOfOneHistory,
      ...(replayPath === undefined ? {} : { replayPath }),
    }),
  examples: exampleHistories,
  words: (taken) => Array.from(taken, String).join(', then '),
  async judge(trial, history) {
    await fc.asyncModelRun(() => ({ model: { nonces: [], tokens: [] }, real: trial }), history);
  },
});
