import { madeUp } from '../../spec/index.js';
import {
  looseBase64,
  looseIds,
  malformedAuthorizations,
  movedColon,
  type NearMiss,
  nobodysParaphrases,
  wrongIds,
  wrongParaphrases,
} from '../arbitraries/index.js';
import type { User } from '../options.js';
import { nobody, type Subject, Untested } from '../subject/index.js';
import { chosen, single } from './law.js';
import { credentialsOf, hide, isAscii, present, userAt } from './present-wrong.js';
import { proveTokens, workingToken } from './token.js';

/** A user, and one of the mistakes to make with the credentials, by their numbers. */
interface Pick {
  readonly user: number;
  readonly kind: number;
}

/** A row of credentials that must be refused. */
interface Wrong {
  readonly name?: string;
  readonly afterOthers?: true;
  /** All that can be made of a user: an id with a paraphrase, or a whole header, and what it is. */
  readonly made: (user: User, subject: Subject) => readonly (readonly [presented: User | string, what: string])[];
  /** Which of them, of whom; each once, of the users in turn, by default. Few: no account is to be given all of them. */
  readonly picks?: (subject: Subject) => readonly Pick[];
  /** They name no account; the control is a login of the user. */
  readonly isNobodys?: true;
  /** What is missing where none can be made. */
  readonly needs?: string;
}

function refused(requirement: string, { made, picks, isNobodys, needs = '', ...text }: Wrong) {
  const inTurn = (subject: Subject) =>
    made(userAt(subject, 0), subject).map((_, kind) => ({ user: kind % subject.ableUsers.length, kind }));
  return chosen<Pick>(requirement, {
    ...text,
    phase: 'wrong-credentials',
    examples: (subject) => (subject.ableUsers.length === 0 ? [{ user: 0, kind: 0 }] : (picks ?? inTurn)(subject)),
    async judge(trial, { user: index, kind }, subject) {
      const user = userAt(subject, index);
      const choices = made(user, subject);
      const [presented, what] = choices[kind % choices.length] ?? [];
      if (presented === undefined || what === undefined) throw new Untested(needs, 'call');
      const wrong = typeof presented === 'string' ? presented : credentialsOf(subject, presented);
      trial.expectRefused(await present(trial, user, wrong, what, isNobodys === true ? nobody : user), what);
    },
  });
}

function wrongOf(user: User, subject: Subject): string {
  const wrong = credentialsOf(subject, { ...user, paraphrase: `${user.paraphrase}x` });
  hide(wrong, subject);
  return wrong;
}

export const unknownIds = (user: User, { users }: Subject): NearMiss[] => {
  const taken = users.map(({ id }) => id);
  return wrongIds(user.id, taken);
};

export const malformed = (user: User, { protocol }: Subject): NearMiss[] => malformedAuthorizations(protocol.challenge.scheme, user);

/** Every malformed Authorization once, of a user with whom it is malformed. Some write the paraphrase into the header as it is. */
export function malformedPicks(subject: Subject): Pick[] {
  const plain = subject.ableUsers.flatMap((user, index) => (isAscii(user) ? index : []));
  const users = plain.length === 0 ? [0] : plain;
  return malformed(userAt(subject, users[0] as number), subject).map((_, kind) => {
    const inTurn = users[kind % users.length] as number;
    const isMade = (index: number) => malformed(userAt(subject, index), subject)[kind]?.isMoot !== true;
    return { user: [inTurn, ...users].find(isMade) ?? inTurn, kind };
  });
}

/** Of each further user a sample, the empty one, and the mistakes that were not possible in the paraphrases before. */
function paraphrasePicks({ ableUsers }: Subject): Pick[] {
  const shown = new Set<number>();
  return ableUsers.flatMap(({ paraphrase }, user) =>
    wrongParaphrases(paraphrase)
      .flatMap(({ isMoot, value }, kind) => (isMoot === true ? [] : { kind, value }))
      .flatMap(({ kind, value }, place) => {
        if (shown.has(kind) && place % 12 !== 0 && value !== '') return [];
        shown.add(kind);
        return { user, kind };
      }),
  );
}

/** Ids that nobody has, and names that objects of a program have. */
const ofNobody: readonly User[] = [
  ...nobodysParaphrases.map((paraphrase, index) => ({ id: String(7_340_233 + index), paraphrase })),
  { id: 'constructor', paraphrase: '' },
  { id: '__proto__', paraphrase: '' },
];

export const unknownUsers = [
  refused('exchange.unknown-user-refused', {
    isNobodys: true,
    made: (user, subject) =>
      unknownIds(user, subject).map(({ value, how }) => [
        { ...user, id: value },
        `the paraphrase of user ${user.id} under "${value}" (${how})`,
      ]),
    // The first kind with the paraphrase of every user: a search that finds nobody may leave any of them behind. What begins with the id
    // of a user is tried of two, because a service may read their ids in different ways.
    picks: (subject) =>
      subject.ableUsers.flatMap((of, user) =>
        unknownIds(of, subject).flatMap(({ value }, kind) =>
          user === 0 || kind === 0 || (user === 1 && value.startsWith(of.id)) ? { user, kind } : [],
        ),
      ),
  }),
  refused('exchange.unknown-user-refused', {
    name: 'with-nothing',
    isNobodys: true,
    made: () => ofNobody.map((user) => [user, `the id "${user.id}", which nobody has, with the paraphrase "${user.paraphrase}"`]),
    picks: () => ofNobody.map((_, kind) => ({ user: 0, kind })),
  }),
  refused('exchange.unknown-user-refused', {
    name: 'colon-moved',
    made: (user) =>
      (['on', 'back'] as const).map((where) => [
        movedColon(user, where),
        `the credentials of user ${user.id} with their colon one character further ${where}`,
      ]),
    // Ids that are still numbers after the move, because others are refused for their form.
    picks({ ableUsers }) {
      const first = (isNumber: (user: User) => boolean) => Math.max(0, ableUsers.findIndex(isNumber));
      return [
        { user: first(({ paraphrase }) => /^[0-9]/.test(paraphrase)), kind: 0 },
        { user: first(({ id }) => /[0-9]{2}$/.test(id)), kind: 1 },
      ];
    },
  }),
];

export const wrongCredentials = [
  refused('exchange.wrong-paraphrase-refused', {
    made: (user) =>
      wrongParaphrases(user.paraphrase).map(({ value, how }) => [
        { ...user, paraphrase: value },
        `user ${user.id} with a wrong paraphrase (${how})`,
      ]),
    picks: paraphrasePicks,
  }),
  refused('exchange.wrong-paraphrase-refused', {
    name: 'of-another-user',
    made: (user, { users }) =>
      users
        .filter(({ paraphrase }) => paraphrase !== user.paraphrase)
        .map(({ id, paraphrase }) => [{ ...user, paraphrase }, `user ${user.id} with the paraphrase of user ${id}`]),
    picks: ({ ableUsers }) => ableUsers.map((_, user) => ({ user, kind: user + 1 })),
    needs: 'this needs a second user with another paraphrase (see --user)',
  }),
  single('exchange.wrong-paraphrase-refused', {
    name: 'behind-a-used-nonce',
    phase: 'wrong-credentials',
    judge: async (trial, _, subject) =>
      subject.accounts.borrow([userAt(subject, 0)], async (user) => {
        const nonce = await trial.challenge();
        trial.tokenFrom(await trial.exchange(nonce, user), user);
        const exchange = await trial.present(nonce.value, wrongOf(user, subject), {}, 'refused-credentials');
        trial.expectRefused(exchange, `user ${user.id} with a wrong paraphrase and a nonce that was already used for a login`);
        await trial.loginAfter(exchange, user);
      }),
  }),
  single('token.independent', {
    name: 'after-wrong-nonces',
    phase: 'wrong-credentials',
    // A login of its user, such as the control of an unknown id, would undo what the refusals did.
    afterOthers: true,
    judge: async (trial, _, subject) =>
      subject.accounts.borrowWhole([userAt(subject, 0)], async (user) => {
        const issued = await workingToken(trial, user);
        const wrong = [1, 2].map((number) => madeUp(trial.protocol.challenge.noncePattern, number));
        for (const nonce of wrong) await trial.present(nonce, credentialsOf(subject, user));
        const use = await trial.use(issued, {}, 'use');
        await trial.loginAside(user);
        trial.expectServed(use, 'a valid token after two logins of its user with a wrong nonce');
      }),
  }),
  refused('exchange.malformed-credentials-refused', {
    // What a service cannot decode may break it, so that it comes last.
    afterOthers: true,
    made: (user, subject) =>
      malformed(user, subject).map(({ value, how }) => [value, `an Authorization header that is malformed (${how})`]),
    picks: malformedPicks,
  }),
  refused('exchange.base64-spelling', {
    made: (user, { protocol }) =>
      looseBase64(protocol.challenge.scheme, user).map(({ value, how }) => [value, `the right credentials of user ${user.id} with ${how}`]),
  }),
  single('token.independent', {
    name: 'after-its-nonce-again',
    phase: 'wrong-credentials',
    judge: async (trial, _, subject) =>
      subject.accounts.borrow([userAt(subject, 0)], async (user) => {
        await proveTokens(trial, user);
        const nonce = await trial.challenge();
        const issued = trial.tokenFrom(await trial.exchange(nonce, user), user);
        const again = await trial.exchange(nonce, user);
        trial.expectServed(await trial.use(issued, {}, 'use'), 'a valid token after its nonce was presented again');
        if (!trial.granted(again)) await trial.loginAfter(again, user);
      }),
  }),
  refused('exchange.id-spelling', {
    made: (user) => looseIds(user.id).map(({ value, how }) => [{ ...user, id: value }, `the id ${user.id} written "${value}" (${how})`]),
  }),
];
