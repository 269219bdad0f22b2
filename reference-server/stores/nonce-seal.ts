import { type Cipher, createCipheriv } from 'node:crypto';

/** What a nonce says of itself once it is opened. */
export interface IssuedNonce {
  readonly issuedAtMs: number;
  readonly instance: number;
  readonly sequence: number;
}

const rounds = 4;
export const keyOctets = 32;
export const sealOctets = 16;
export const lastInstance = 0xfff;
const sequences = 2 ** 32;

/** The bits that mark a UUID's version (octet 6) and variant (octet 8), within the words that hold them. */
const versionMask = 0x00f0_0000;
const version4 = 0x0040_0000;
const variantMask = 0xc0;
const variant = 0x80;

/** Nonces of one millisecond are made together, up to so many: enciphering a batch costs little more than enciphering one. */
const largestBatch = 32;

/**
 * Makes nonces that carry their own proof of issue: time, instance and sequence number are enciphered as one block of 122 bits, the
 * free bits of a version 4 UUID, by a Feistel network of four rounds with AES as its round function. Thirty of those bits are always
 * zero before enciphering and the time must lie within the lifetime, so that a made-up value opens with a chance below one in 2^60.
 */
export class NonceSeal {
  readonly #cipher: Cipher;
  readonly #halves = Buffer.alloc(largestBatch * sealOctets);
  readonly #batch = Buffer.alloc(largestBatch * sealOctets);
  #batchMs = -1;
  #made = 1;
  #used = 1;
  #sequence = 0;

  constructor(
    key: Buffer,
    readonly instance: number,
  ) {
    this.#cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  }

  /** A new nonce. No two are alike: no sequence number is used twice within a millisecond. */
  issue(nowMs: number): Buffer {
    if (this.#used === this.#made || nowMs !== this.#batchMs) this.#makeBatch(nowMs);
    const at = this.#used++ * sealOctets;
    this.#sequence = (this.#sequence + 1) % sequences;
    return Buffer.from(this.#batch.subarray(at, at + sealOctets));
  }

  /** What the nonce says, or undefined when it was not made with this key. */
  open(nonce: Buffer): IssuedNonce | undefined {
    if (nonce.length !== sealOctets) return undefined;
    if ((nonce.readInt32LE(4) & versionMask) !== version4 || (nonce.readInt32LE(8) & variantMask) !== variant) return undefined;
    const block = Buffer.from(nonce);
    block.writeInt32LE(block.readInt32LE(4) & ~versionMask, 4);
    block.writeInt32LE(block.readInt32LE(8) & ~variantMask, 8);
    for (let round = rounds - 1; round >= 0; round--) this.#mix(block, 1, round);
    if (block.readInt32LE(8) !== 0) return undefined;
    return { issuedAtMs: block.readUIntBE(0, 6), instance: block.readUInt16BE(6), sequence: block.readUInt32BE(12) };
  }

  #makeBatch(nowMs: number): void {
    this.#made = nowMs === this.#batchMs ? Math.min(this.#made * 2, largestBatch) : 1;
    this.#used = 0;
    this.#batchMs = nowMs;
    const batch = this.#batch;
    for (let index = 0; index < this.#made; index++) {
      const at = index * sealOctets;
      batch.writeUIntBE(Math.floor(nowMs), at, 6);
      batch.writeUInt16BE(this.instance, at + 6);
      batch.writeUInt32BE(0, at + 8);
      batch.writeUInt32BE((this.#sequence + index) % sequences, at + 12);
    }
    for (let round = 0; round < rounds; round++) this.#mix(batch, this.#made, round);
    for (let at = 0; at < this.#made * sealOctets; at += sealOctets) {
      batch.writeInt32LE(batch.readInt32LE(at + 4) | version4, at + 4);
      batch.writeInt32LE(batch.readInt32LE(at + 8) | variant, at + 8);
    }
  }

  /** One round over several blocks: one half of each, enciphered, is added to the other half; version and variant bits stay clear. */
  #mix(blocks: Buffer, count: number, round: number): void {
    const [from, to, keep0, keep1] = round % 2 === 0 ? [8, 0, -1, ~versionMask] : [0, 8, ~variantMask, -1];
    const end = count * sealOctets;
    const halves = this.#halves;
    for (let at = 0; at < end; at += sealOctets) {
      halves.writeInt32LE(blocks.readInt32LE(at + from), at);
      halves.writeInt32LE(blocks.readInt32LE(at + from + 4), at + 4);
      halves.writeInt32LE(round, at + 8);
    }
    const mask = this.#cipher.update(halves.subarray(0, end));
    for (let at = 0; at < end; at += sealOctets) {
      blocks.writeInt32LE(blocks.readInt32LE(at + to) ^ (mask.readInt32LE(at) & keep0), at + to);
      blocks.writeInt32LE(blocks.readInt32LE(at + to + 4) ^ (mask.readInt32LE(at + 4) & keep1), at + to + 4);
    }
  }
}
