import { hash, randomBytes } from 'node:crypto';
import type { User } from '../users.js';
import { keyOctets, NonceSeal } from './nonce-seal.js';
import type { Store, TokenRecord } from './store.js';

/**
 * Everything in this process; gone with it. Paraphrases are held as keyed digests whose key never leaves the process, so that nothing
 * can be learned from how long two of them take to be compared.
 */
export function memoryStore(configured: readonly User[] = []): Store {
  const secret = randomBytes(keyOctets).toString('base64');
  const digest = (id: string, paraphrase: string) => hash('sha256', `${secret}${id}:${paraphrase}`, 'base64');
  const users = new Map<string, string>();
  const spent = spentNonces();
  // A lookup tells nothing about how much of a guess was right: a Map finds a text by a hash with a secret seed, and compares only where all of that agrees.
  const tokens = new Map<string, TokenRecord>();
  const newSeal = () => new NonceSeal(randomBytes(keyOctets), 0);
  let seal = newSeal();
  const putUser = ({ id, paraphrase }: User): void => {
    users.set(String(id), digest(String(id), paraphrase));
  };
  configured.forEach(putUser);
  return {
    open: async () => {},
    close: async () => {},
    reset() {
      seal = newSeal();
      users.clear();
      configured.forEach(putUser);
      spent.clear();
      tokens.clear();
    },
    seal: () => seal,
    spend: (nonce, expiresAtMs, nowMs) => spent.add(nonce.sequence, expiresAtMs, nowMs),
    isSpent: (nonce) => spent.has(nonce.sequence),
    putUser,
    dropUser: (id) => void users.delete(String(id)),
    verifyUser: (id, paraphrase) => digest(id, paraphrase) === users.get(id),
    putToken(token, record, nowMs) {
      // All tokens live equally long, so the oldest stand first and the sweep ends at the first that lives.
      for (const [key, { expiresAtMs }] of tokens) {
        if (expiresAtMs >= nowMs) break;
        tokens.delete(key);
      }
      tokens.set(token, record);
    },
    getToken: (token) => tokens.get(token),
  };
}

const blockBits = 15;
const blockSize = 1 << blockBits;

/**
 * The spent nonces of one process, one bit each, by sequence number: a million of them take 125 kB. A block of bits is dropped when
 * the last nonce spent in it would have expired by itself.
 */
function spentNonces() {
  const blocks = new Map<number, { readonly bits: Uint8Array; expiresAtMs: number }>();
  const has = (sequence: number) =>
    (((blocks.get(sequence >>> blockBits)?.bits[(sequence % blockSize) >>> 3] ?? 0) >>> (sequence & 7)) & 1) === 1;
  return {
    has,
    /** Marks a nonce as spent; false when it was already. */
    add(sequence: number, expiresAtMs: number, nowMs: number): boolean {
      if (has(sequence)) return false;
      const number = sequence >>> blockBits;
      if (!blocks.has(number)) {
        for (const [other, block] of blocks) if (block.expiresAtMs < nowMs) blocks.delete(other);
      }
      const block = blocks.get(number) ?? { bits: new Uint8Array(blockSize / 8), expiresAtMs: 0 };
      const index = (sequence % blockSize) >>> 3;
      block.bits[index] = (block.bits[index] as number) | (1 << (sequence & 7));
      block.expiresAtMs = Math.max(block.expiresAtMs, expiresAtMs);
      blocks.set(number, block);
      return true;
    },
    clear: () => blocks.clear(),
  };
}
