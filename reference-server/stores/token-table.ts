import { hash } from 'node:crypto';
import type { TokenRecord } from './store.js';

/** The name under which a store outside this process keeps a token: what it holds opens nothing. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'base64url');
}

/**
 * The living tokens of one process. A lookup tells nothing about how much of a guess was right, because a Map finds a text by a hash
 * with a secret seed, and compares only where all of that agrees.
 */
export class TokenTable {
  readonly #records = new Map<string, TokenRecord>();

  put(token: string, record: TokenRecord, nowMs: number): void {
    this.#sweep(nowMs);
    this.#records.set(token, record);
  }

  get(token: string): TokenRecord | undefined {
    return this.#records.get(token);
  }

  get size(): number {
    return this.#records.size;
  }

  clear(): void {
    this.#records.clear();
  }

  /** All tokens live equally long, so the oldest stand first and the sweep ends at the first that lives. */
  #sweep(nowMs: number): void {
    for (const [key, record] of this.#records) {
      if (record.expiresAtMs >= nowMs) return;
      this.#records.delete(key);
    }
  }
}
