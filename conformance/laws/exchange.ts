import fc from 'fast-check';
import { basic, nameCase, nameCaseWords } from '../arbitraries/index.js';
import * as expect from '../expect/index.js';
import { tokenOf } from '../expect/index.js';
import type { User } from '../options.js';
import { inWords } from '../oracle/index.js';
import { guardedPaths, type Sending, Untested, Violation } from '../subject/index.js';
import type { Exchange } from '../wire/index.js';
import { answerLaw } from './answer-law.js';
import { hasWholeBody, status } from './judgements.js';
import { law } from './law.js';
import { once } from './once.js';
import { isAscii } from './pick-user.js';

/** Stands for a user that is not given. */
const withColon = -1;
const hasColon = ({ paraphrase }: User) => paraphrase.includes(':');

const twoPaths = (paths: readonly [string, ...string[]]) =>
  fc.record({ challengedAt: fc.constantFrom(...paths), exchangedAt: fc.constantFrom(...paths) });

export const exchangeAnswers = [
  answerLaw('exchange.status', ['exchange'], (answer, { subject }) => status(answer, subject.protocol.exchange.status)),
  answerLaw('exchange.token', ['exchange'], (answer, { subject }) => expect.token(answer, subject.protocol)),
  answerLaw('exchange.token-shape', ['exchange'], (answer, { subject }) =>
    tokenOf(answer, subject.protocol) === undefined ? undefined : expect.tokenShape(answer, subject.protocol),
  ),
  answerLaw('exchange.token-separators', ['exchange'], (answer, { subject }) =>
    expect.token(answer, subject.protocol).ok && expect.tokenShape(answer, subject.protocol).ok
      ? expect.tokenUnseparated(answer, subject.protocol)
      : undefined,
  ),
  answerLaw('exchange.body', ['exchange'], (answer, { subject, exchange: sent }) =>
    hasWholeBody(sent) ? expect.member(answer, subject.protocol.exchange.body) : undefined,
  ),
  once('exchange.token-unique', 'token', 'exchange', tokenOf),
];

export const exchange = [
  law('exchange.token-unique', {
    name: 'burst',
    given: () => fc.integer({ min: 4, max: 12 }),
    examples: () => [12],
    randomCases: (runs) => Math.floor(runs / 20),
    async judge(trial, size) {
      const nonces = await Promise.all(Array.from({ length: size }, () => trial.challenge()));
      const exchanges = await Promise.all(nonces.map((nonce) => trial.exchange(nonce)));
      const seen = new Map<string, Exchange>();
      for (const each of exchanges) {
        const token = each.answer === undefined ? undefined : tokenOf(each.answer, trial.protocol);
        if (token === undefined) throw new Untested(`an exchange gave no token (${inWords(each, trial.protocol)})`);
        const earlier = seen.get(token);
        if (earlier !== undefined)
          throw new Violation('every exchange gives a token of its own', `one token for two of ${size} simultaneous exchanges`, [
            earlier,
            each,
          ]);
        seen.set(token, each);
      }
    },
  }),
  law<{ challengedAt: string; exchangedAt: string }>('exchange.any-endpoint', {
    randomCases: (runs) => Math.ceil(runs / 10),
    given: (subject) => twoPaths(guardedPaths(subject)),
    examples: (subject) => {
      const paths = guardedPaths(subject);
      const [first = '', last = first] = [paths[0], paths.at(-1)];
      return [...paths.map((path) => ({ challengedAt: path, exchangedAt: path })), { challengedAt: last, exchangedAt: first }];
    },
    async judge(trial, { challengedAt, exchangedAt }) {
      await trial.subject.sharedToken();
      const nonce = await trial.challenge({ path: challengedAt });
      const answer = await trial.exchange(nonce, trial.user, { path: exchangedAt });
      if (trial.granted(answer)) return;
      const chain = trial.chain.slice();
      await trial.login(); // the control
      throw new Violation(
        `the exchange works on ${exchangedAt} with a nonce from ${challengedAt}, as it does on ${trial.firstPath}`,
        inWords(answer, trial.protocol),
        chain,
      );
    },
  }),
  law<{ user: number; sending: Sending }>('exchange.any-user', {
    randomCases: (runs) => Math.ceil(runs / 5),
    given: (subject) => fc.record({ user: fc.nat(Math.max(0, subject.users.length - 1)), sending: fc.record({ nameCase }) }),
    examples: ({ users }) => [
      ...users.map((_, user) => ({ user, sending: {} })),
      ...(users.some(hasColon) ? [] : [{ user: withColon, sending: {} }]),
    ],
    words: (value) => nameCaseWords(value.sending.nameCase),
    async judge(trial, { user: index, sending }, subject) {
      if (subject.facts.noLogin !== undefined) throw new Untested(subject.facts.noLogin);
      if (index === withColon) throw new Untested('this needs a user whose paraphrase has a colon, such as --user 2:open:sesame', 'call');
      const user = subject.users[index] ?? trial.user;
      const { scheme } = trial.protocol.challenge;
      const first = await trial.exchange(await trial.challenge(), user, sending);
      if (trial.granted(first)) return;
      const chain = trial.chain.slice();
      const latin1 = basic(scheme, user.id, user.paraphrase, 'latin1');
      const second = await trial.present((await trial.challenge()).value, latin1, sending);
      if (trial.granted(second)) return;
      if (user !== trial.user) await trial.login(); // the control
      throw new Violation(`user ${user.id} can log in, as user ${trial.user.id} can`, inWords(first, trial.protocol), chain);
    },
  }),
  law<number>('exchange.utf8', {
    given: (subject) => fc.nat(Math.max(0, subject.users.length - 1)),
    examples: ({ users }) => users.flatMap((user, index) => (isAscii(user) ? [] : [index])),
    randomCases: () => 0,
    async judge(trial, index, subject) {
      const user = subject.users[index];
      if (user === undefined || isAscii(user))
        throw new Untested('this needs a user whose paraphrase has a non-ASCII letter, such as --user 3:smörgås', 'call');
      const answer = await trial.exchange(await trial.challenge(), user);
      if (trial.granted(answer)) return;
      const latin1 = basic(trial.protocol.challenge.scheme, user.id, user.paraphrase, 'latin1');
      const other = await trial.present((await trial.challenge()).value, latin1);
      if (!trial.granted(other)) throw new Untested(`user ${user.id} cannot log in at all (see exchange.any-user)`);
      throw new Violation(
        `user ${user.id} can log in with the paraphrase in UTF-8`,
        `${inWords(answer, trial.protocol)}; ISO 8859-1 was accepted`,
      );
    },
  }),
  law<string>('exchange.scheme-case', {
    given: () => fc.constantFrom('lower', 'upper'),
    examples: () => ['lower', 'upper'],
    randomCases: () => 0,
    async judge(trial, letters) {
      // Some servers take a header for one that they read on the same connection when the two differ only in letter case.
      const alone = { freshConnection: true };
      const { user, protocol } = trial;
      const { scheme } = protocol.challenge;
      trial.tokenFrom(await trial.exchange(await trial.challenge(), user, alone), user); // the control
      const written = letters === 'lower' ? scheme.toLowerCase() : scheme.toUpperCase();
      const answer = await trial.present((await trial.challenge()).value, basic(written, user.id, user.paraphrase), alone);
      trial.answered(answer);
      if (!trial.granted(answer)) {
        throw new Violation(`the scheme is understood as "${written}", as it is as "${scheme}"`, inWords(answer, trial.protocol));
      }
    },
  }),
];
