import { hash, randomBytes } from 'node:crypto';
import type { User } from '../users.js';
import { keyOctets, NonceSeal } from './nonce-seal.js';
import { SpentNonces } from './spent-nonces.js';
import type { Store, TokenRecord } from './store.js';

/**
 * Everything in this process; gone with it. Paraphrases are held as keyed digests whose key never leaves the process, so that nothing
 * can be learned from how long two of them take to be compared.
 */
export function memoryStore(configured: readonly User[] = []): Store {
  const secret = randomBytes(keyOctets).toString('base64');
  const digest = (id: string, paraphrase: string) => hash('sha256', `${secret}${id}:${paraphrase}`, 'base64');
  const users = new Map<string, string>();
  const spent = new SpentNonces();
  // A lookup tells nothing about how much of a guess was right: a Map finds a text by a hash with a secret seed, and compares only where all of that agrees.
  const tokens = new Map<string, TokenRecord>();
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

function newSeal(): NonceSeal {
  return new NonceSeal(randomBytes(keyOctets), 0);
}
