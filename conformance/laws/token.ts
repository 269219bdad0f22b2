import fc from 'fast-check';
import { madeUp } from '../../spec/index.js';
import { lastCharacterChanged, nameCase, nameCaseWords, nearMiss } from '../arbitraries/index.js';
import { knownPaths, type Sending, type Subject, type Token, type Trial, Untested } from '../subject/index.js';
import { law } from './law.js';
import { proveTokens, workingToken } from './working-token.js';

/** So many uses go out together where only their number matters. */
const aFew = 5;
const asWritten = (name: string) => name;
const otherSteps = ['challenge', 'login', 'login of another', 'unknown token', 'use of another token', 'use of almost the token'] as const;

async function take(trial: Trial, step: (typeof otherSteps)[number], { user, value }: Token): Promise<void> {
  const others = trial.subject.ableUsers.filter((each) => each !== user);
  if (step === 'challenge') await trial.challenge();
  else if (step === 'login') await trial.login(user);
  else if (step === 'login of another') await trial.login(others[0] ?? user);
  else if (step === 'unknown token') await trial.use(madeUp(trial.protocol.exchange.tokenPattern));
  else if (step === 'use of another token') await trial.use(await trial.login(others[0] ?? user));
  else {
    const almost = nearMiss(value, lastCharacterChanged)?.value ?? value;
    trial.subject.redactor.token(almost, 'token with its last character changed');
    await trial.use(almost);
  }
}

/** The first token that each user got in this run, and which is still young. */
const firstTokens = ({ oracle, protocol }: Subject) => oracle.tokens.firsts(protocol.token.lifetimeMs / 2);

export const token = [
  law<{ user: number; sending: Sending }>('token.sufficient', {
    randomCases: (runs) => Math.ceil(runs / 20),
    given: () => fc.record({ user: fc.nat(7), sending: fc.record({ nameCase }) }),
    examples: (subject) => [
      ...subject.ableUsers.map((_, user) => ({ user, sending: { nameCase: asWritten } })),
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
    randomCases: (runs) => Math.ceil(runs / 10),
    given: (subject) =>
      fc.record({
        issuedAt: fc.constantFrom(...knownPaths(subject)),
        usedAt: fc.constantFrom(...subject.collections.map((name) => `/${name}`)),
      }),
    examples: (subject) =>
      subject.collections.flatMap((name) => [
        { issuedAt: knownPaths(subject)[0], usedAt: `/${name}` },
        { issuedAt: `/${name}`, usedAt: knownPaths(subject)[0] },
      ]),
    async judge(trial, { issuedAt, usedAt }) {
      await proveTokens(trial);
      const nonce = await trial.challenge({ path: issuedAt });
      const issued = trial.tokenFrom(await trial.exchange(nonce, trial.user, { path: issuedAt }), trial.user);
      trial.expectServed(await trial.use(issued, { path: usedAt }, 'use'), `${usedAt} with a token issued at ${issuedAt}`);
    },
  }),
  law<number>('token.any-connection', {
    given: () => fc.constant(0),
    randomCases: () => 1,
    async judge(trial) {
      const issued = await workingToken(trial);
      trial.expectServed(await trial.use(issued, { freshConnection: true }, 'use'), 'a valid token on another connection');
    },
  }),
  law<{ times: number; together: boolean }>('token.reusable', {
    given: () => fc.record({ times: fc.integer({ min: 2, max: 8 }), together: fc.boolean() }),
    examples: () => [
      { times: 20, together: false },
      { times: 12, together: true },
    ],
    randomCases: (runs) => Math.floor(runs / 20),
    async judge(trial, { times, together }) {
      const issued = await workingToken(trial);
      // Several at a time go over several connections. Whether a token works on another one is told by token.any-connection.
      trial.expectServedAsControl(await trial.use(issued, { freshConnection: true }));
      const usedBefore = 1;
      if (together) {
        const uses = await Promise.all(Array.from({ length: times }, () => trial.use(issued, {}, 'use')));
        for (const each of uses) trial.expectServed(each, `each of ${times} simultaneous uses of a valid token`);
      } else {
        for (let done = 0; done < times; done += aFew) {
          const uses = Array.from({ length: Math.min(aFew, times - done) }, () => trial.use(issued, {}, 'use'));
          for (const [index, each] of (await Promise.all(uses)).entries())
            trial.expectServed(each, `use ${usedBefore + done + index + 1} of a valid token`);
        }
      }
    },
  }),
  law<readonly (typeof otherSteps)[number][]>('token.independent', {
    randomCases: (runs) => Math.ceil(runs / 10),
    given: () => fc.array(fc.constantFrom(...otherSteps), { minLength: 1, maxLength: 5 }),
    examples: () => [...otherSteps.map((step) => [step]), ['login', 'login', 'login', 'login', 'login', 'login']],
    async judge(trial, steps) {
      const issued = await workingToken(trial);
      for (const step of steps) await take(trial, step, issued);
      trial.expectServed(await trial.use(issued, {}, 'use'), `a valid token after ${steps.join(', then ')}`);
    },
  }),
  law<number>('token.independent', {
    name: 'beside-logins',
    given: () => fc.constant(0),
    randomCases: () => 1,
    async judge(trial, _, { facts }) {
      if (facts.oneAtATime !== undefined) throw new Untested(facts.oneAtATime);
      const issued = await workingToken(trial);
      const [atOnce, ofLogins] = [6, 4];
      const uses = (count: number) => Promise.all(Array.from({ length: count }, () => trial.use(issued)));
      // As many as below, so that none of those below is the first request on its connection.
      for (const each of await uses(atOnce + ofLogins)) trial.expectServedAsControl(each);
      const nonces = await Promise.all(Array.from({ length: ofLogins }, () => trial.challenge()));
      const logins = Promise.all(nonces.map((nonce) => trial.exchange(nonce)));
      const [used] = await Promise.all([uses(atOnce), logins]);
      for (const each of used) trial.expectServed(each, 'a valid token while its user logs in again');
    },
  }),
  law<number>('token.independent', {
    name: 'after-everything-else',
    afterOthers: true,
    isDoubtful: true,
    given: () => fc.nat(7),
    examples: (subject) => firstTokens(subject).map((_, index) => index),
    randomCases: () => 0,
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
