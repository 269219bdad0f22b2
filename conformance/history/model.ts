import type { Nonce, Token } from '../subject/index.js';

/** What must hold now, from what has happened so far. The server's own choices on open points are not in it. */
export interface Model {
  /** Milliseconds by which the history moved the clock. */
  movedMs: number;
  readonly nonces: HeldNonce[];
  readonly tokens: HeldToken[];
}

export interface HeldNonce {
  readonly nonce: Nonce;
  readonly heldSinceMs: number;
  presented: boolean;
}

export interface HeldToken {
  readonly token: Token;
  readonly heldSinceMs: number;
}

export type Expectation = 'granted' | 'refused' | 'open';

export function newModel(): Model {
  return { movedMs: 0, nonces: [], tokens: [] };
}

/** Lifetime and reuse of a nonce are open; one that is fresh and was never presented must open. */
export function expectationOfNonce(held: HeldNonce, model: Model): Expectation {
  return held.presented || held.heldSinceMs !== model.movedMs ? 'open' : 'granted';
}

/** The clock under test may run on by itself, so that the instant of expiry has a margin on either side. */
export function expectationOfToken(held: HeldToken, model: Model, lifetimeMs: number, marginMs: number): Expectation {
  const ageMs = model.movedMs - held.heldSinceMs;
  if (ageMs <= lifetimeMs - marginMs) return 'granted';
  return ageMs >= lifetimeMs + marginMs ? 'refused' : 'open';
}
