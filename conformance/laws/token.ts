import fc from 'fast-check';
import { madeUp } from '../../spec/index.js';
import { lastCharacterChanged, nameCase, nameCaseWords, nearMiss } from '../arbitraries/index.js';
import { knownPaths, type Sending, type Subject, type Token, Trial, Untested } from '../subject/index.js';
import type { Exchange } from '../wire/index.js';
import { chosen, law, single } from './law.js';

/** Sees that a fresh token works, once for each user until the clock moves, however many ask at once. It leaves no trace in their chains. */
export function proveTokens({ subject, user: own }: Trial, user: Token['user'] = own): Promise<void> {
  const { provenUsers } = subject;
  const known = provenUsers.get(user);
  if (known !== undefined) return known;
  const proof = prove(new Trial(subject), user);
  provenUsers.set(user, proof);
  proof.catch(() => provenUsers.delete(user)); // whoever comes next tries again
  return proof;
}

async function prove(trial: Trial, user: Token['user']): Promise<void> {
  trial.expectServedAsControl(await trial.use(await trial.login(user)));
}

/** A fresh token of a user whose fresh tokens are known to work. */
export async function workingToken(trial: Trial, user: Token['user'] = trial.user): Promise<Token> {
  await proveTokens(trial, user);
  return trial.login(user);
}

/** So many uses go out together where only their number matters. */
const aFew = 5;

/** What must not end a token: steps of its user, and of another. */
const otherSteps = {
  challenge: (trial) => trial.challenge(),
  login: (trial, { user }) => trial.login(user),
  'login of another': (trial, _, other) => trial.login(other),
  'unknown token': (trial) => trial.use(madeUp(trial.protocol.exchange.tokenPattern)),
  'use of another token': async (trial, _, other) => trial.use(await trial.login(other)),
  'use of almost the token': (trial, { value }) => {
    const almost = nearMiss(value, lastCharacterChanged)?.value ?? value;
    trial.subject.redactor.token(almost, 'token with its last character changed');
    return trial.use(almost);
  },
} as const satisfies Record<string, (trial: Trial, token: Token, other: Token['user']) => Promise<unknown>>;
type OtherStep = keyof typeof otherSteps;
const stepNames = Object.keys(otherSteps) as OtherStep[];

/** The first token that each user got in this run, and which is still young. */
const firstTokens = ({ oracle, protocol }: Subject) => oracle.tokens.firsts(protocol.token.lifetimeMs / 2);

const usesOf = (trial: Trial, token: Token, count: number, role?: 'use'): Promise<Exchange[]> =>
  Promise.all(Array.from({ length: count }, () => trial.use(token, {}, role)));

export const token = [
  law<{ user: number; sending: Sending }>('token.sufficient', {
    randomCases: (runs) => Math.ceil(runs / 20),
    given: () => fc.record({ user: fc.nat(7), sending: fc.record({ nameCase }) }),
    examples: (subject) => [
      ...subject.ableUsers.map((_, user) => ({ user, sending: {} })),
      { user: 0, sending: { nameCase: (name) => name.toUpperCase() } },
    ],
    words: (value) => nameCaseWords(value.sending.nameCase),
    async judge(trial, { user: index, sending }, { ableUsers }) {
      const user = ableUsers[index % ableUsers.length] ?? trial.user;
      const exchange = await trial.use(await trial.login(user), sending, 'use');
      trial.expectServed(exchange, `a collection with a valid token of user ${user.id} and nothing else`);
    },
  }),
  law<{ issuedAt: string; usedAt: string }>('token.any-endpoint', {
    given: (subject) =>
      fc.record({
        issuedAt: fc.constantFrom(...knownPaths(subject)),
        usedAt: fc.constantFrom(...subject.collections.map((name) => `/${name}`)),
      }),
    examples({ collections: [first, ...others] }) {
      const there = others.map((name) => ({ issuedAt: `/${first}`, usedAt: `/${name}` }));
      return [...there, ...there.map(({ issuedAt, usedAt }) => ({ issuedAt: usedAt, usedAt: issuedAt }))];
    },
    async judge(trial, { issuedAt, usedAt }) {
      await proveTokens(trial);
      const nonce = await trial.challenge({ path: issuedAt });
      const issued = trial.tokenFrom(await trial.exchange(nonce, trial.user, { path: issuedAt }), trial.user);
      trial.expectServed(await trial.use(issued, { path: usedAt }, 'use'), `${usedAt} with a token issued at ${issuedAt}`);
    },
  }),
  single('token.any-connection', {
    async judge(trial) {
      const issued = await workingToken(trial);
      trial.expectServed(await trial.use(issued, { freshConnection: true }, 'use'), 'a valid token on another connection');
    },
  }),
  law<{ times: number; together: boolean }>('token.reusable', {
    given: () => fc.record({ times: fc.integer({ min: 2, max: 8 }), together: fc.boolean() }),
    examples: () => [
      { times: 20, together: false },
      { times: 8, together: true },
    ],
    randomCases: (runs) => Math.floor(runs / 20),
    async judge(trial, { times, together }) {
      const issued = await workingToken(trial);
      // Several at a time go over several connections. Whether a token works on another one is told by token.any-connection.
      trial.expectServedAsControl(await trial.use(issued, { freshConnection: true }));
      const atOnce = together ? times : aFew;
      for (let done = 0; done < times; done += atOnce)
        for (const [index, each] of (await usesOf(trial, issued, Math.min(atOnce, times - done), 'use')).entries())
          trial.expectServed(
            each,
            together ? `each of ${times} simultaneous uses of a valid token` : `use ${done + index + 2} of a valid token`,
          );
    },
  }),
  law<readonly OtherStep[]>('token.independent', {
    given: () => fc.array(fc.constantFrom(...stepNames), { minLength: 1, maxLength: 5 }),
    examples: () => stepNames.map((step) => (step === 'login' ? Array.from({ length: 6 }, () => step) : [step])),
    async judge(trial, steps, { ableUsers }) {
      const issued = await workingToken(trial);
      const other = ableUsers.find((each) => each !== issued.user) ?? issued.user;
      for (const step of steps) await otherSteps[step](trial, issued, other);
      trial.expectServed(await trial.use(issued, {}, 'use'), `a valid token after ${steps.join(', then ')}`);
    },
  }),
  single('token.independent', {
    name: 'beside-logins',
    async judge(trial, _, { facts }) {
      if (facts.oneAtATime !== undefined) throw new Untested(facts.oneAtATime);
      const issued = await workingToken(trial);
      const [atOnce, ofLogins] = [4, 4];
      // As many as below, so that none of those below is the first request on its connection.
      for (const each of await usesOf(trial, issued, atOnce + ofLogins)) trial.expectServedAsControl(each);
      const nonces = await Promise.all(Array.from({ length: ofLogins }, () => trial.challenge()));
      const logins = Promise.all(nonces.map((nonce) => trial.exchange(nonce)));
      const [used] = await Promise.all([usesOf(trial, issued, atOnce), logins]);
      for (const each of used) trial.expectServed(each, 'a valid token while its user logs in again');
    },
  }),
  chosen<number>('token.independent', {
    name: 'after-everything-else',
    afterOthers: 'at the end',
    isDoubtful: true,
    examples: (subject) => Array.from({ length: Math.max(1, firstTokens(subject).length) }, (_, index) => index),
    async judge(trial, index, { oracle, protocol }) {
      const first = firstTokens(trial.subject)[index];
      if (first === undefined) throw new Untested('no token was issued');
      trial.chain.push(...oracle.chainTo(first.value));
      const exchange = await trial.use(first.value, {}, 'use');
      if (oracle.tokens.ageOf(first.value, exchange).mostMs > protocol.token.lifetimeMs / 2)
        throw new Untested('the first token has expired by now');
      trial.expectServed(exchange, `the first token of user ${first.user.id}, at the end of the run,`);
    },
  }),
];
