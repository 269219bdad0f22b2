import type { Server } from '@hapi/hapi';
import type { ExchangeFilter, RecordedExchange, ServerState } from './contract.js';
import type { Clock, ManualClock } from './parts/index.js';
import type { FixtureSwitches, TroubleSwitches } from './switching/index.js';
import type { User } from './users.js';

/** What a test may ask of a running server and change about it. The control listener offers the same over HTTP. */
export interface Steering {
  readonly clock: Clock | ManualClock;
  readonly collections: readonly string[];
  /** Ids only. */
  readonly users: readonly number[];
  /** The last exchanges, oldest first, without secrets. */
  readonly recorded: readonly RecordedExchange[];
  /** Switches faults on and off: `server.faults.use('token-once', { state: 'valid token', next: 3 })`. */
  readonly faults: FixtureSwitches;
  readonly variants: FixtureSwitches;
  /** Asks for trouble: `server.troubles.use({ status: 503, step: 'B', next: 2 })`. The first one that fits a request is met. */
  readonly troubles: TroubleSwitches;
  /** A valid token of the user with this id, or of the first one. */
  issueToken(user?: number): Promise<string>;
  /** Ends a token or a nonce now: by its text, or by its number. */
  expire(what: string | { readonly token: number } | { readonly nonce: number }): Promise<void>;
  addUser(user: User): Promise<void>;
  /** The user cannot log in any more; tokens live on until they end. */
  removeUser(id: number): Promise<void>;
  /** The next exchange that fits, or with `after`, the first one after it. Throws when none comes in time; the default is five seconds. */
  waitFor(filter?: ExchangeFilter & { readonly timeoutMs?: number }): Promise<RecordedExchange>;
  /** The exchanges from now on, or after `after`, as they happen, until the signal. */
  exchanges(options?: { readonly after?: number; readonly until?: AbortSignal }): AsyncIterable<RecordedExchange>;
  state(): Promise<ServerState>;
  /** As after the start: the first users, no tokens, no exchanges, no troubles, the first faults and variants; nonces issued before are dead. The clock stays. */
  reset(): Promise<void>;
}

/** A reference server that listens. */
export interface RunningServer extends Steering {
  /** The base URL, without a slash at the end. */
  readonly url: string;
  /** Where the clock contract is spoken; null when the clock cannot be moved. */
  readonly clockUrl: string | null;
  /** Where it is controlled over HTTP, and the token to show there; null without `control`. */
  readonly control: { readonly url: string; readonly token: string } | null;
  /** The address of the live page, with the token in it; null without `page`. */
  readonly page: string | null;
  /** An address of it that is good for one visit, to be given where others can read it. */
  pageOnce(): string | null;
  readonly hapi: Server;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
