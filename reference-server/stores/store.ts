import type { User } from '../users.js';
import type { IssuedNonce, NonceSeal } from './nonce-seal.js';

export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value at once where it is there: to wait for nothing costs every request a turn of the event loop's queue. */
export function after<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

export interface TokenRecord {
  readonly user: number;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

/**
 * What a deployment remembers: users, spent nonces, tokens. Time is passed in. A store that cannot be reached throws StoreUnavailable
 * from everything but `close`.
 */
export interface Store {
  open(): Promise<void>;
  close(): Promise<void>;
  /** As at the start: the configured users only, no tokens; nonces issued before are dead. */
  reset(): MaybePromise<void>;
  /** Makes and opens nonces; the same for all instances that share the store. */
  seal(): NonceSeal;
  /** True for one caller only. */
  spend(nonce: IssuedNonce, expiresAtMs: number, nowMs: number): MaybePromise<boolean>;
  isSpent(nonce: IssuedNonce): MaybePromise<boolean>;
  /** Numbers of nonces that a test has ended. */
  readonly ended?: ReadonlySet<number>;
  putUser(user: User): MaybePromise<void>;
  dropUser(id: number): MaybePromise<void>;
  /** Takes as long for an unknown id as for a wrong paraphrase. */
  verifyUser(id: string, paraphrase: string): MaybePromise<boolean>;
  putToken(token: string, record: TokenRecord, nowMs: number): MaybePromise<void>;
  getToken(token: string): MaybePromise<TokenRecord | undefined>;
}
