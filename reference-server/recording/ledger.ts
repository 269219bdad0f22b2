import type { Store, TokenRecord } from '../stores/index.js';

/** A token that was issued. Its text stays in this process. */
export interface KnownToken {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
  readonly record: TokenRecord;
  /** Whether the store knows it, too; some faults keep their tokens to themselves. */
  readonly isStored: boolean;
}

const keptTokens = 10_000;
const keptNonces = 10_000;

/** What recording knows beside the store: the last tokens with their numbers, and the nonces that were ended before their time. */
export class Ledger {
  readonly #tokens = new Map<string, KnownToken>();
  readonly #endedNonces = new Set<number>();
  #issued = 0;

  keep(text: string, record: TokenRecord, isStored?: boolean): void {
    const known = this.#tokens.get(text);
    const number = known?.number ?? ++this.#issued;
    this.#tokens.set(text, { number, text, record, isStored: isStored ?? known?.isStored ?? false });
    if (this.#tokens.size > keptTokens) dropFirst(this.#tokens);
  }

  token(text: string): KnownToken | undefined {
    return this.#tokens.get(text);
  }

  /** Those with a larger number, oldest first. */
  tokens(after = 0): readonly KnownToken[] {
    return after >= this.#issued ? [] : [...this.#tokens.values()].filter(({ number }) => number > after);
  }

  endNonce(number: number): void {
    this.#endedNonces.add(number);
    if (this.#endedNonces.size > keptNonces) dropFirst(this.#endedNonces);
  }

  hasEndedNonces(): boolean {
    return this.#endedNonces.size > 0;
  }

  isEnded(nonce: number): boolean {
    return this.#endedNonces.has(nonce);
  }

  clear(): void {
    this.#tokens.clear();
    this.#endedNonces.clear();
  }
}

/** The store, which tells the ledger of every token. */
export function watched(store: Store, ledger: Ledger): Store {
  return {
    ...store,
    putToken(token, record, nowMs) {
      ledger.keep(token, record, true);
      return store.putToken(token, record, nowMs);
    },
  };
}

function dropFirst(kept: Map<string, unknown> | Set<unknown>): void {
  for (const key of kept.keys()) {
    kept.delete(key as string);
    return;
  }
}
