import fc from 'fast-check';
import { madeUp } from '../../spec/index.js';
import {
  basic,
  everyWrongParaphrase,
  looseBase64,
  looseIds,
  malformedAuthorizations,
  paraphraseMistake,
  wrongParaphrase,
} from '../arbitraries/index.js';
import { Untested } from '../subject/index.js';
import { law } from './law.js';
import { each, everyUser, malformedPicks, none, type Pick, pick } from './pick-user.js';
import { hide, present, refuses, scheme, userAt } from './present-wrong.js';
import { proveTokens, workingToken } from './working-token.js';

export const wrongCredentials = [
  law<Pick>('exchange.wrong-paraphrase-refused', {
    phase: 'wrong-credentials',
    given: () => pick(paraphraseMistake),
    // Few wrong attempts: of each further user a sample, the empty one, and the mistakes that were not possible in the paraphrases before.
    examples: (subject) => {
      const shown = new Set<number>();
      return subject.ableUsers.flatMap((user, index) =>
        everyWrongParaphrase(user.paraphrase).flatMap((kind, place) => {
          if (shown.has(kind) && place % 12 !== 0 && wrongParaphrase(user.paraphrase, kind)?.value !== '') return [];
          shown.add(kind);
          return { user: index, kind };
        }),
      );
    },
    randomCases: none,
    async judge(trial, { user: index, kind }, subject) {
      const user = userAt(subject, index);
      const wrong = wrongParaphrase(user.paraphrase, kind);
      if (wrong === undefined) throw new Untested('the changed paraphrase is the right one');
      await refuses(trial, user, basic(scheme(trial), user.id, wrong.value), `user ${user.id} with a wrong paraphrase (${wrong.how})`);
    },
  }),
  law<Pick>('exchange.wrong-paraphrase-refused', {
    name: 'of-another-user',
    phase: 'wrong-credentials',
    given: () => pick(fc.nat(7)),
    examples: (subject) => subject.ableUsers.map((_, user) => ({ user, kind: user + 1 })),
    randomCases: none,
    async judge(trial, { user: index, kind }, subject) {
      const user = userAt(subject, index);
      const others = subject.users.filter(({ paraphrase }) => paraphrase !== user.paraphrase);
      const other = others[kind % others.length];
      if (other === undefined) throw new Untested('this needs a second user with another paraphrase (see --user)', 'call');
      await refuses(
        trial,
        user,
        basic(scheme(trial), user.id, other.paraphrase),
        `user ${user.id} with the paraphrase of user ${other.id}`,
      );
    },
  }),
  law<number>('exchange.wrong-paraphrase-refused', {
    name: 'behind-a-used-nonce',
    phase: 'wrong-credentials',
    given: () => fc.nat(7),
    examples: () => [0],
    randomCases: none,
    judge: (trial, index, subject) =>
      subject.accounts.borrow([userAt(subject, index)], async (user) => {
        const nonce = await trial.challenge();
        trial.tokenFrom(await trial.exchange(nonce, user), user);
        const wrong = basic(scheme(trial), user.id, `${user.paraphrase}x`);
        hide(wrong, subject);
        const exchange = await trial.present(nonce.value, wrong, {}, 'refused-credentials');
        trial.expectRefused(exchange, `user ${user.id} with a wrong paraphrase and a nonce that was already used for a login`);
        await trial.loginAfter(exchange, user);
      }),
  }),
  law<Pick>('exchange.malformed-credentials-refused', {
    phase: 'wrong-credentials',
    // What a service cannot decode may break it, so that it comes last.
    afterOthers: true,
    given: () => pick(fc.nat(20)),
    examples: malformedPicks,
    randomCases: none,
    async judge(trial, { user: index, kind }, subject) {
      const user = userAt(subject, index);
      const choices = malformedAuthorizations(scheme(trial), user);
      const wrong = choices[kind % choices.length] as (typeof choices)[number];
      await refuses(trial, user, wrong.value, `an Authorization header that is malformed (${wrong.how})`);
    },
  }),
  law<Pick>('exchange.base64-spelling', {
    phase: 'wrong-credentials',
    given: () => pick(fc.nat(1)),
    examples: (subject) => each(2, everyUser(subject)),
    randomCases: none,
    async judge(trial, { user: index, kind }, subject) {
      const user = userAt(subject, index);
      const choices = looseBase64(scheme(trial), user);
      const loose = choices[kind % choices.length] as (typeof choices)[number];
      await refuses(trial, user, loose.value, `the right credentials of user ${user.id} with ${loose.how}`);
    },
  }),
  law<number>('token.independent', {
    name: 'after-a-wrong-paraphrase',
    phase: 'wrong-credentials',
    given: () => fc.constant(0),
    examples: (subject) => everyUser(subject).slice(0, 2),
    randomCases: none,
    async judge(trial, index, subject) {
      const user = userAt(subject, index);
      subject.provenUsers.delete(user);
      const issued = await workingToken(trial, user);
      await present(trial, user, basic(scheme(trial), user.id, `${user.paraphrase}x`), `user ${user.id} with a wrong paraphrase`);
      trial.expectServed(await trial.use(issued, {}, 'use'), 'a valid token after a login of its user with a wrong paraphrase');
    },
  }),
  law<number>('token.independent', {
    name: 'after-its-nonce-again',
    phase: 'wrong-credentials',
    given: () => fc.constant(0),
    randomCases: () => 1,
    judge: (trial, index, subject) =>
      subject.accounts.borrow([userAt(subject, index)], async (user) => {
        await proveTokens(trial, user);
        const nonce = await trial.challenge();
        const issued = trial.tokenFrom(await trial.exchange(nonce, user), user);
        const again = await trial.exchange(nonce, user);
        trial.expectServed(await trial.use(issued, {}, 'use'), 'a valid token after its nonce was presented again');
        if (!trial.granted(again)) await trial.loginAfter(again, user);
      }),
  }),
  law<number>('token.independent', {
    name: 'after-wrong-nonces',
    phase: 'wrong-credentials',
    given: () => fc.constant(0),
    randomCases: () => 1,
    judge: (trial, index, subject) =>
      subject.accounts.borrowWhole([userAt(subject, index)], async (user) => {
        const issued = await workingToken(trial, user);
        const right = basic(scheme(trial), user.id, user.paraphrase);
        const wrong = [1, 2].map((number) => madeUp(trial.protocol.challenge.noncePattern, number));
        for (const nonce of wrong) await trial.present(nonce, right);
        const use = await trial.use(issued, {}, 'use');
        await trial.loginAside(user);
        trial.expectServed(use, 'a valid token after two logins of its user with a wrong nonce');
      }),
  }),
  law<Pick>('exchange.id-spelling', {
    phase: 'wrong-credentials',
    given: () => pick(fc.nat(4)),
    examples: (subject) => each(looseIds('1').length, everyUser(subject)),
    randomCases: none,
    async judge(trial, { user: index, kind }, subject) {
      const user = userAt(subject, index);
      const choices = looseIds(user.id);
      const loose = choices[kind % choices.length] as (typeof choices)[number];
      await refuses(
        trial,
        user,
        basic(scheme(trial), loose.value, user.paraphrase),
        `the id ${user.id} written "${loose.value}" (${loose.how})`,
      );
    },
  }),
];
