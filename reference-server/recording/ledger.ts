import type { TokenRecord } from '../stores/index.js';

/** A token that was issued. Its text stays in this process. */
export interface KnownToken {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
  /** With the life that it should have, whatever a fault makes of it. */
  readonly record: TokenRecord;
}

const kept = 10_000;

/** What recording knows beside the store: the last tokens with their numbers, and the nonces that a test has ended. */
export class Ledger {
  readonly endedNonces = new Set<number>();
  readonly #tokens = new Map<string, KnownToken>();
  #issued = 0;

  keep(text: string, record: TokenRecord): KnownToken {
    const known = { number: this.#tokens.get(text)?.number ?? ++this.#issued, text, record };
    this.#tokens.set(text, known);
    if (this.#tokens.size > kept) this.#tokens.delete(this.#tokens.keys().next().value as string);
    return known;
  }

  token(text: string): KnownToken | undefined {
    return this.#tokens.get(text);
  }

  /** Those with a larger number, oldest first. */
  tokens(after = 0): readonly KnownToken[] {
    return after >= this.#issued ? [] : [...this.#tokens.values()].filter(({ number }) => number > after);
  }

  endNonce(number: number): void {
    this.endedNonces.add(number);
    if (this.endedNonces.size > kept) this.endedNonces.delete(this.endedNonces.values().next().value as number);
  }

  clear(): void {
    this.#tokens.clear();
    this.endedNonces.clear();
  }
}
