import fc from 'fast-check';
import { malformedAuthorizations } from '../arbitraries/index.js';
import type { User } from '../options.js';
import type { Subject } from '../subject/index.js';

export const someUser = fc.nat(7);

/** A user, and one of the mistakes to make with the credentials. */
export interface Pick {
  readonly user: number;
  readonly kind: number;
}
export const pick = (kinds: fc.Arbitrary<number>) => fc.record({ user: someUser, kind: kinds });
/** Every mistake once, of these users in turn, so that no account is given all of them. */
export const each = (count: number, users: readonly number[]): Pick[] =>
  Array.from({ length: count }, (_, kind) => ({ user: users[kind % users.length] ?? 0, kind }));

export const everyUser = ({ ableUsers }: Subject): number[] => [...ableUsers.keys()];

/** Whether a paraphrase can stand in a header as it is. */
export const isAscii = ({ paraphrase }: User): boolean => /^[ -~]*$/.test(paraphrase);

/** The users with such a paraphrase, or the first user where there is none. */
const plainUsers = ({ ableUsers }: Subject): number[] => {
  const plain = ableUsers.flatMap((user, index) => (isAscii(user) ? index : []));
  return plain.length === 0 ? [0] : plain;
};

/** Every malformed Authorization once, of a user with whom it is malformed. Some write the paraphrase into the header as it is. */
export function malformedPicks(subject: Subject): Pick[] {
  const users = plainUsers(subject);
  const made = (index: number) => {
    const user = subject.ableUsers[index];
    return user === undefined ? [] : malformedAuthorizations(subject.protocol.challenge.scheme, user);
  };
  return each(Math.max(1, made(users[0] ?? 0).length), users).map(({ user, kind }) => {
    const inTurn = [user, ...users];
    return { user: inTurn.find((index) => made(index)[kind]?.isMoot !== true) ?? user, kind };
  });
}

export const none = () => 0;
