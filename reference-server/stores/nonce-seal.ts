import { hash } from 'node:crypto';

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
const lastSequence = 0xffff_ffff;

/**
 * Makes nonces that carry their own proof of issue: time, instance and sequence number are enciphered as one block of 122 bits,
 * the free bits of a version 4 UUID, by a Feistel network of four rounds over keyed SHA-256. Thirty of those bits are always zero
 * before enciphering and the time must lie within the lifetime, so that a made-up value opens with a chance below one in 2^60.
 */
export class NonceSeal {
  #sequence = 0;
  readonly #message = Buffer.alloc(keyOctets + 1 + 8);

  constructor(
    key: Buffer,
    readonly instance: number,
  ) {
    key.copy(this.#message, 0, 0, keyOctets);
  }

  /** A new nonce. No two are alike: the sequence number never repeats within a millisecond. */
  issue(nowMs: number): Buffer {
    const sequence = this.#sequence;
    this.#sequence = sequence === lastSequence ? 0 : sequence + 1;
    const block = Buffer.alloc(sealOctets);
    block.writeUIntBE(Math.floor(nowMs), 0, 6);
    block.writeUInt16BE(this.instance, 6);
    block.writeUInt32BE(sequence, 12);
    for (let round = 0; round < rounds; round++) this.#mix(block, round);
    block[6] = (block[6] as number) | 0x40;
    block[8] = (block[8] as number) | 0x80;
    return block;
  }

  /** What the nonce says, or undefined when it was not made with this key. */
  open(nonce: Buffer): IssuedNonce | undefined {
    if (nonce.length !== sealOctets || ((nonce[6] as number) & 0xf0) !== 0x40 || ((nonce[8] as number) & 0xc0) !== 0x80) return undefined;
    const block = Buffer.from(nonce);
    block[6] = (block[6] as number) & 0x0f;
    block[8] = (block[8] as number) & 0x3f;
    for (let round = rounds - 1; round >= 0; round--) this.#mix(block, round);
    if (block.readUInt32BE(8) !== 0) return undefined;
    return { issuedAtMs: block.readUIntBE(0, 6), instance: block.readUInt16BE(6), sequence: block.readUInt32BE(12) };
  }

  /** One round: one half, hashed under the key, is added to the other. The bits that mark a UUID's version and variant stay clear. */
  #mix(block: Buffer, round: number): void {
    const fromRight = round % 2 === 0;
    this.#message[keyOctets] = round;
    block.copy(this.#message, keyOctets + 1, fromRight ? 8 : 0, fromRight ? 16 : 8);
    const mask = hash('sha256', this.#message, 'buffer');
    const at = fromRight ? 0 : 8;
    for (let index = 0; index < 8; index++) block[at + index] = (block[at + index] as number) ^ (mask[index] as number);
    if (fromRight) block[6] = (block[6] as number) & 0x0f;
    else block[8] = (block[8] as number) & 0x3f;
  }
}
