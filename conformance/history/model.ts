import type { Nonce, Token } from '../subject/index.js';

/** What must hold now, from what has happened so far. The server's own choices on open points are not in it. */
export interface Model {
  /** Milliseconds by which the history moved the clock. */
  movedMs: number;
  /** Challenges, exchanges and moves of the clock so far: after any of them an older nonce may be gone. */
  steps: number;
  readonly nonces: HeldNonce[];
  readonly tokens: HeldToken[];
}

interface HeldNonce {
  readonly nonce: Nonce;
  /** How many steps the history had when it was issued. */
  readonly stepsSince: number;
  presented: boolean;
}

interface HeldToken {
  readonly token: Token;
  readonly heldSinceMs: number;
}

type Expectation = 'granted' | 'refused' | 'open';

export function newModel(): Model {
  return { movedMs: 0, steps: 0, nonces: [], tokens: [] };
}

/**
 * Lifetime and reuse of a nonce are open, and so is whether it outlives another challenge or exchange;
 * the newest, never presented and at once, must open.
 */
export function expectationOfNonce(held: HeldNonce, model: Model): Expectation {
  return held.presented || held.stepsSince !== model.steps ? 'open' : 'granted';
}

/** The clock under test may run on by itself, so that the instant of expiry has a margin on either side. */
export function expectationOfToken(held: HeldToken, model: Model, lifetimeMs: number, marginMs: number): Expectation {
  const ageMs = model.movedMs - held.heldSinceMs;
  if (ageMs <= lifetimeMs - marginMs) return 'granted';
  return ageMs >= lifetimeMs + marginMs ? 'refused' : 'open';
}
