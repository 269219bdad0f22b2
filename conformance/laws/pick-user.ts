import fc from 'fast-check';

export const someUser = fc.nat(7);

/** A user, and one of the mistakes to make with the credentials. */
export interface Pick {
  readonly user: number;
  readonly kind: number;
}
export const pick = (kinds: fc.Arbitrary<number>) => fc.record({ user: someUser, kind: kinds });
/** Every mistake once. Of the users in turn, so that no account is given all of them. */
export const each = (count: number): Pick[] => Array.from({ length: count }, (_, kind) => ({ user: kind, kind }));
export const none = () => 0;
