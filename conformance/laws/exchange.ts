import fc from 'fast-check';
import { basic, nameCase, nameCaseWords } from '../arbitraries/index.js';
import { seeing } from '../finding.js';
import type { User } from '../options.js';
import { inWords } from '../oracle/index.js';
import { guardedPaths, type Sending, type Trial, Untested, Violation } from '../subject/index.js';
import { chosen, law } from './law.js';
import { isAscii } from './present-wrong.js';

/** Stands for a user that is not given. */
const withColon = -1;
const hasColon = ({ paraphrase }: User) => paraphrase.includes(':');

/** A login whose paraphrase is in another encoding. */
const inLatin1 = async (trial: Trial, { id, paraphrase }: User, sending: Sending = {}) =>
  trial.present((await trial.challenge()).value, basic(trial.protocol.challenge.scheme, id, paraphrase, 'latin1'), sending);

async function expectLogin(trial: Trial, challengedAt: string, exchangedAt: string): Promise<void> {
  await trial.subject.sharedToken();
  const nonce = await trial.challenge({ path: challengedAt });
  const answer = await trial.exchange(nonce, trial.user, { path: exchangedAt });
  trial.answered(answer);
  if (trial.granted(answer)) return;
  const chain = trial.chain.slice();
  await trial.login(); // the control
  const at = { path: exchangedAt };
  if (challengedAt !== exchangedAt && !trial.granted(await trial.exchange(await trial.challenge(at), trial.user, at)))
    throw new Untested(seeing(`no exchange works on ${exchangedAt}`, ['exchange.any-endpoint']));
  const expected = `the exchange works on ${exchangedAt} with a nonce from ${challengedAt}, as it does on ${trial.firstPath}`;
  throw new Violation(expected, inWords(answer, trial.protocol), chain);
}

export const challenge = [
  chosen<string>('challenge.status', {
    examples: () => ['GET', 'HEAD'],
    async judge(trial, method) {
      const exchange = await trial.stranger({ method });
      trial.inTime(exchange);
      const { status } = trial.protocol.challenge;
      if (exchange.answer?.status !== status)
        throw new Violation(`a read without credentials is answered with ${status}`, inWords(exchange, trial.protocol));
    },
  }),
];

export const exchange = [
  chosen<string>('exchange.any-endpoint', {
    examples: guardedPaths,
    judge: (trial, path) => expectLogin(trial, path, path),
  }),
  chosen<readonly [challengedAt: string, exchangedAt: string]>('exchange.nonce-of-another-request', {
    examples(subject) {
      const paths = guardedPaths(subject);
      const [first, last = first] = [paths[0], paths.at(-1)];
      return first === last
        ? [[last, first]]
        : [
            [last, first],
            [first, last],
          ];
    },
    judge: (trial, [challengedAt, exchangedAt]) => expectLogin(trial, challengedAt, exchangedAt),
  }),
  law<{ user: number; sending: Sending }>('exchange.any-user', {
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
      const first = await trial.exchange(await trial.challenge(), user, sending);
      trial.answered(first);
      if (trial.granted(first)) return;
      const chain = trial.chain.slice();
      if (trial.granted(await inLatin1(trial, user, sending))) return;
      if (user !== trial.user) await trial.login(); // the control
      throw new Violation(`user ${user.id} can log in, as user ${trial.user.id} can`, inWords(first, trial.protocol), chain);
    },
  }),
  chosen<User | undefined>('exchange.utf8', {
    examples: ({ users }) => (users.every(isAscii) ? [undefined] : users.filter((user) => !isAscii(user))),
    async judge(trial, user) {
      if (user === undefined)
        throw new Untested('this needs a user whose paraphrase has a non-ASCII letter, such as --user 3:smörgås', 'call');
      const answer = await trial.exchange(await trial.challenge(), user);
      trial.answered(answer);
      if (trial.granted(answer)) return;
      if (!trial.granted(await inLatin1(trial, user)))
        throw new Untested(seeing(`user ${user.id} cannot log in at all`, ['exchange.any-user']));
      throw new Violation(
        `user ${user.id} can log in with the paraphrase in UTF-8`,
        `${inWords(answer, trial.protocol)}; ISO 8859-1 was accepted`,
      );
    },
  }),
  chosen<'lower' | 'upper'>('exchange.scheme-case', {
    examples: () => ['lower', 'upper'],
    async judge(trial, letters) {
      // Some servers take a header for one that they read on the same connection when the two differ only in letter case.
      const alone = { freshConnection: true };
      const { user, protocol } = trial;
      const { scheme } = protocol.challenge;
      const written = letters === 'lower' ? scheme.toLowerCase() : scheme.toUpperCase();
      const answer = await trial.present((await trial.challenge()).value, basic(written, user.id, user.paraphrase), alone);
      trial.answered(answer);
      if (trial.granted(answer)) return;
      const chain = trial.chain.slice();
      trial.tokenFrom(await trial.exchange(await trial.challenge(), user, alone), user); // the control
      throw new Violation(`the scheme is understood as "${written}", as it is as "${scheme}"`, inWords(answer, trial.protocol), chain);
    },
  }),
];
