import { createHmac, hash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { StoreUnavailable } from '../errors.js';
import type { MaybePromise, Store } from './store.js';

const cost: ScryptOptions = { N: 16_384, r: 8, p: 1 };
const hashOctets = 32;
const saltOctets = 16;

/** So many checks may wait; each takes a good part of a tenth of a second of one core. */
const waitingChecks = 256;
const rememberedLogins = 10_000;

/** A paraphrase under scrypt with a salt of its own, as text. */
export async function slowHash(paraphrase: string): Promise<string> {
  const salt = randomBytes(saltOctets);
  return `scrypt:${salt.toString('base64')}:${(await derive(paraphrase, salt)).toString('base64')}`;
}

/**
 * Checks paraphrases against slow hashes. What was right once is right at once while the stored hash stays the same; a wrong guess
 * always costs the whole work, and so does one for a user who does not exist.
 */
export class SlowChecks {
  readonly #secret = randomBytes(hashOctets);
  readonly #nobody = `scrypt:${randomBytes(saltOctets).toString('base64')}:${randomBytes(hashOctets).toString('base64')}`;
  readonly #right = new Set<string>();
  readonly #underWay = new Map<string, Promise<boolean>>();

  async check(paraphrase: string, stored: string | undefined): Promise<boolean> {
    const against = stored ?? this.#nobody;
    const key = createHmac('sha256', this.#secret).update(against).update('\0').update(paraphrase, 'utf8').digest('base64');
    if (this.#right.has(key)) return true;
    const known = this.#underWay.get(key);
    if (known !== undefined) return known;
    if (this.#underWay.size >= waitingChecks) throw new StoreUnavailable('too many logins wait to be checked');
    const checking = matches(paraphrase, against).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, checking);
    const isRight = await checking;
    if (isRight && this.#right.size >= rememberedLogins) this.#right.clear();
    if (isRight) this.#right.add(key);
    return isRight;
  }
}

async function matches(paraphrase: string, stored: string): Promise<boolean> {
  const [, salt = '', hash = ''] = stored.split(':');
  const wanted = Buffer.from(hash, 'base64');
  const got = await derive(paraphrase, Buffer.from(salt, 'base64'));
  return wanted.length === got.length && timingSafeEqual(wanted, got);
}

/** The paraphrase is hashed first: scrypt fills short keys up with zero octets, so that `secret` and `secret\0` would be the same to it. */
function derive(paraphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(hash('sha256', paraphrase, 'buffer'), salt, hashOctets, cost, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}

/** Finds the hash of a user's paraphrase, as `hashParaphrase` made it; undefined when there is no such user. */
export type UserLookup = (id: number) => MaybePromise<string | undefined>;

/** A store whose users are in a database of the application's own. */
export function withLookup(store: Store, lookup: UserLookup): Store {
  const checks = new SlowChecks();
  return {
    ...store,
    async verifyUser(text, paraphrase) {
      const id = Number(text);
      const hash = String(id) === text ? await lookup(id) : undefined; // beyond 2^53 two ids are one number
      if (hash !== undefined && !/^scrypt:[^:]+:[^:]+$/.test(hash)) {
        throw new TypeError(`users: what was found for the id ${id} is no hash; a text made by hashParaphrase is allowed`);
      }
      return checks.check(paraphrase, hash);
    },
  };
}
