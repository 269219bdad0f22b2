import { hash } from 'node:crypto';
import type { TokenRecord } from './store.js';

/** Tokens are kept under a hash: what the store holds opens nothing, and a lookup tells nothing about how much of a guess was right. */
export function tokenHash(token: string, encoding: 'base64url' | 'binary' = 'base64url'): string {
  return hash('sha256', token, encoding);
}

/** The living tokens of one process. */
export class TokenTable {
  readonly #records = new Map<string, TokenRecord>();

  put(token: string, record: TokenRecord, nowMs: number): void {
    this.#sweep(nowMs);
    this.#records.set(tokenHash(token, 'binary'), record);
  }

  get(token: string): TokenRecord | undefined {
    return this.#records.get(tokenHash(token, 'binary'));
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
