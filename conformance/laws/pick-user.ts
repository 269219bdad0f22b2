import fc from 'fast-check';

export const someUser = fc.nat(7);

/** A user, and one of the mistakes to make with the credentials. */
export interface Pick {
  readonly user: number;
  readonly kind: number;
}
export const pick = (kinds: fc.Arbitrary<number>) => fc.record({ user: someUser, kind: kinds });
export const each = (count: number, user = 0): Pick[] => Array.from({ length: count }, (_, kind) => ({ user, kind }));
export const none = () => 0;
