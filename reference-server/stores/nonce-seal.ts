import { type Cipher, createCipheriv, createDecipheriv, type Decipher } from 'node:crypto';

/** What a nonce says of itself once it is opened. */
export interface IssuedNonce {
  readonly issuedAtMs: number;
  readonly instance: number;
  readonly sequence: number;
  /** Of all instances that share a key, counted from 1. */
  readonly number: number;
  readonly epoch: string;
}

const algorithm = 'aes-256-ecb';
export const keyOctets = 32;
export const sealOctets = 16;
export const lastInstance = 0xfff;
const sequences = 2 ** 32;

/** The octets of a UUID that hold its version and its variant, and the bits of them that are free. */
const versionAt = 6;
const version = 0x40;
const versionFree = 0x0f;
const variantAt = 8;
const variant = 0x80;
const variantFree = 0x3f;
const overwritten = 64;

/**
 * Makes nonces that carry their own proof of issue: time, instance and sequence number, with 36 bits that are always zero, are one block
 * of AES. Six bits of it are overwritten with those of a version 4 UUID; whoever opens it tries all 64 values that they can have had. A
 * made-up value opens with a chance below one in 2^59, because the zeros must come out and the time must lie within the lifetime.
 */
export class NonceSeal {
  readonly #cipher: Cipher;
  readonly #decipher: Decipher;
  readonly #tried = Buffer.alloc(overwritten * sealOctets);
  #sequence = 0;

  constructor(
    key: Buffer,
    readonly instance: number,
    /** What a nonce is spent in: nothing that is spent in one epoch counts in another. */
    readonly epoch = '',
  ) {
    this.#cipher = createCipheriv(algorithm, key, null).setAutoPadding(false);
    this.#decipher = createDecipheriv(algorithm, key, null).setAutoPadding(false);
  }

  /** A new nonce. No two are alike: no sequence number is used twice within a millisecond. */
  issue(nowMs: number): Buffer {
    const plain = Buffer.alloc(sealOctets);
    plain.writeUIntBE(Math.floor(nowMs), 0, 6);
    plain.writeUInt16BE(this.instance, 6);
    plain.writeUInt32BE(this.#sequence, 12);
    this.#sequence = (this.#sequence + 1) % sequences;
    const nonce = this.#cipher.update(plain);
    nonce[versionAt] = version | ((nonce[versionAt] as number) & versionFree);
    nonce[variantAt] = variant | ((nonce[variantAt] as number) & variantFree);
    return nonce;
  }

  /** What the nonce says, or undefined when it was not made with this key. */
  open(nonce: Buffer): IssuedNonce | undefined {
    if (nonce.length !== sealOctets) return undefined;
    const [high, low] = [nonce[versionAt] as number, nonce[variantAt] as number];
    if ((high & ~versionFree) !== version || (low & ~variantFree) !== variant) return undefined;
    const tried = this.#tried.fill(nonce);
    for (let bits = 0; bits < overwritten; bits++) {
      tried[bits * sealOctets + versionAt] = (high & versionFree) | ((bits << 2) & ~versionFree);
      tried[bits * sealOctets + variantAt] = (low & variantFree) | (bits << 6);
    }
    const plain = this.#decipher.update(tried);
    for (let at = 0; at < plain.length; at += sealOctets) {
      if (plain.readInt32LE(at + 8) !== 0 || plain.readUInt16BE(at + 6) > lastInstance) continue;
      const [instance, sequence] = [plain.readUInt16BE(at + 6), plain.readUInt32BE(at + 12)];
      return { issuedAtMs: plain.readUIntBE(at, 6), instance, sequence, number: instance * sequences + sequence + 1, epoch: this.epoch };
    }
    return undefined;
  }
}
