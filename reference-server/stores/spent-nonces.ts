const blockBits = 15;
const blockSize = 1 << blockBits;

interface Block {
  readonly bits: Uint8Array;
  expiresAtMs: number;
}

/**
 * The spent nonces of one process, one bit each, by sequence number: a million of them take 125 kB. A block of bits is dropped when
 * the last nonce spent in it would have expired by itself.
 */
export class SpentNonces {
  readonly #blocks = new Map<number, Block>();

  has(sequence: number): boolean {
    const block = this.#blocks.get(sequence >>> blockBits);
    return block !== undefined && (((block.bits[(sequence % blockSize) >>> 3] as number) >>> (sequence & 7)) & 1) === 1;
  }

  /** Marks a nonce as spent; false when it was already. */
  add(sequence: number, expiresAtMs: number, nowMs: number): boolean {
    if (this.has(sequence)) return false;
    const block = this.#block(sequence >>> blockBits, nowMs);
    const index = (sequence % blockSize) >>> 3;
    block.bits[index] = (block.bits[index] as number) | (1 << (sequence & 7));
    block.expiresAtMs = Math.max(block.expiresAtMs, expiresAtMs);
    return true;
  }

  clear(): void {
    this.#blocks.clear();
  }

  #block(number: number, nowMs: number): Block {
    const known = this.#blocks.get(number);
    if (known !== undefined) return known;
    for (const [other, { expiresAtMs }] of this.#blocks) {
      if (expiresAtMs < nowMs) this.#blocks.delete(other);
    }
    const block = { bits: new Uint8Array(blockSize / 8), expiresAtMs: 0 };
    this.#blocks.set(number, block);
    return block;
  }
}
