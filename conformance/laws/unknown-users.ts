import fc from 'fast-check';
import { basic, movedColon, type NearMiss, nobodysParaphrases, wrongIds } from '../arbitraries/index.js';
import type { User } from '../options.js';
import type { Subject } from '../subject/index.js';
import { law } from './law.js';
import { none, type Pick, pick, someUser } from './pick-user.js';
import { refuses, refusesNobody, scheme, userAt } from './present-wrong.js';

/** Ids that name no user of the service, each of another kind. */
export function unknownIds(user: User | undefined, { users }: Subject): NearMiss[] {
  const ids = users.map(({ id }) => id);
  return wrongIds(user?.id ?? '1', ids, 1_000_003);
}

export const unknownUsers = [
  law<Pick>('exchange.unknown-user-refused', {
    phase: 'wrong-credentials',
    given: () => pick(fc.nat(20)),
    // The first kind with the paraphrase of every user: a search that finds nobody may leave any of them behind. What begins with the id
    // of a user is tried of two, because a service may read their ids in different ways.
    examples: (subject) =>
      subject.ableUsers.flatMap((of, user) =>
        unknownIds(of, subject).flatMap(({ value }, kind) =>
          user === 0 || kind === 0 || (user === 1 && value.startsWith(of.id)) ? { user, kind } : [],
        ),
      ),
    randomCases: none,
    async judge(trial, { user: index, kind }, subject) {
      const user = userAt(subject, index);
      const choices = unknownIds(user, subject);
      const wrong = choices[kind % choices.length] as (typeof choices)[number];
      await refusesNobody(
        trial,
        user,
        basic(scheme(trial), wrong.value, user.paraphrase),
        `the paraphrase of user ${user.id} under "${wrong.value}" (${wrong.how})`,
      );
    },
  }),
  law<{ id: string; paraphrase: string }>('exchange.unknown-user-refused', {
    name: 'with-nothing',
    phase: 'wrong-credentials',
    given: () =>
      fc.record({ id: fc.integer({ min: 5_000_000, max: 9_000_000 }).map(String), paraphrase: fc.constantFrom(...nobodysParaphrases) }),
    examples: () => [
      ...nobodysParaphrases.map((paraphrase, index) => ({ id: String(7_340_233 + index), paraphrase })),
      { id: 'constructor', paraphrase: '' },
      { id: '__proto__', paraphrase: '' },
    ],
    randomCases: none,
    async judge(trial, { id, paraphrase }, subject) {
      await refusesNobody(
        trial,
        userAt(subject, 0),
        basic(scheme(trial), id, paraphrase),
        `the id "${id}", which nobody has, with the paraphrase "${paraphrase}"`,
      );
    },
  }),
  law<{ user: number; where: 'on' | 'back' }>('exchange.unknown-user-refused', {
    name: 'colon-moved',
    phase: 'wrong-credentials',
    given: () => fc.record({ user: someUser, where: fc.constantFrom('on', 'back') }),
    // Ids that are still numbers after the move, because others are refused for their form.
    examples: ({ ableUsers }) => {
      const first = (isNumber: (user: User) => boolean) => Math.max(0, ableUsers.findIndex(isNumber));
      return [
        { user: first(({ paraphrase }) => /^[0-9]/.test(paraphrase)), where: 'on' },
        { user: first(({ id }) => /[0-9]{2}$/.test(id)), where: 'back' },
      ];
    },
    randomCases: none,
    async judge(trial, { user: index, where }, subject) {
      const user = userAt(subject, index);
      const moved = movedColon(user, where);
      await refuses(
        trial,
        user,
        basic(scheme(trial), moved.id, moved.paraphrase),
        `the credentials of user ${user.id} with their colon one character further ${where}`,
      );
    },
  }),
];
