import { SlowChecks } from './slow-hash.js';
import type { MaybePromise, Store } from './store.js';

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
