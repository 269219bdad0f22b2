import { randomBytes } from 'node:crypto';
import { StoreUnavailable } from '../errors.js';
import type { User } from '../users.js';
import { type IssuedNonce, keyOctets, lastInstance, NonceSeal } from './nonce-seal.js';
import { type Client, RedisLink } from './redis-link.js';
import { SlowChecks, slowHash } from './slow-hash.js';
import type { Store, TokenRecord } from './store.js';
import { tokenHash } from './token-table.js';

const keys = {
  all: 'hydrauth:*',
  nonceKey: 'hydrauth:nonce-key',
  instances: 'hydrauth:instances',
  users: 'hydrauth:users',
  spent: ({ instance, issuedAtMs, sequence }: IssuedNonce) => `hydrauth:spent:${instance}:${issuedAtMs}:${sequence}`,
  token: (token: string) => `hydrauth:token:${tokenHash(token)}`,
};

/**
 * Users, spent nonces and tokens in Redis, so that several instances act as one. The key of the nonces lives beside the spent ones:
 * where Redis forgets what was spent, it forgets the key too, and no nonce opens twice. Redis counts on a clock of its own, so it
 * keeps everything for `graceMs` longer than its life; what has expired is decided by the server's clock.
 */
export function redisStore(url: string, configured: readonly User[], graceMs: number): Store {
  const checks = new SlowChecks();
  let seal: NonceSeal | undefined;

  const synchronise = async (client: Client) => {
    await client.set(keys.nonceKey, randomBytes(keyOctets).toString('base64'), { condition: 'NX' });
    const key = await client.get(keys.nonceKey);
    if (key === null) throw new StoreUnavailable('the store keeps nothing');
    seal = new NonceSeal(Buffer.from(key, 'base64'), (await client.incr(keys.instances)) % (lastInstance + 1));
    for (const user of configured) await ensureUser(client, user);
  };

  /** A configured user is put back when Redis has lost it, and when its paraphrase is another one now. */
  const ensureUser = async (client: Client, { id, paraphrase }: User) => {
    const stored = (await client.hGet(keys.users, String(id))) ?? undefined;
    if (stored !== undefined && (await checks.check(paraphrase, stored))) return;
    await client.hSet(keys.users, String(id), await slowHash(paraphrase));
  };

  const link = new RedisLink(url, synchronise);
  const lifeMs = (expiresAtMs: number, nowMs: number) => Math.max(1, Math.ceil(expiresAtMs - nowMs)) + graceMs;

  return {
    open: () => link.open(),
    close: () => link.close(),
    reset: () =>
      link.ask(async (client) => {
        for await (const found of client.scanIterator({ MATCH: keys.all, COUNT: 1000 })) {
          if (found.length > 0) await client.del(found);
        }
        await synchronise(client);
      }),
    seal() {
      link.assertReady();
      return seal as NonceSeal;
    },
    spend: async (nonce, expiresAtMs, nowMs) => {
      const expiration = { type: 'PX', value: lifeMs(expiresAtMs, nowMs) } as const;
      return (await link.ask((client) => client.set(keys.spent(nonce), '1', { condition: 'NX', expiration }))) === 'OK';
    },
    isSpent: async (nonce) => (await link.ask((client) => client.exists(keys.spent(nonce)))) === 1,
    putUser: async ({ id, paraphrase }) => {
      const hashed = await slowHash(paraphrase);
      await link.ask((client) => client.hSet(keys.users, String(id), hashed));
    },
    dropUser: async (id) => {
      await link.ask((client) => client.hDel(keys.users, String(id)));
    },
    verifyUser: async (id, paraphrase) => checks.check(paraphrase, (await link.ask((client) => client.hGet(keys.users, id))) ?? undefined),
    putToken: async (token, record, nowMs) => {
      const expiration = { type: 'PX', value: lifeMs(record.expiresAtMs, nowMs) } as const;
      await link.ask((client) => client.set(keys.token(token), JSON.stringify(record), { expiration }));
    },
    getToken: async (token) => {
      const text = await link.ask((client) => client.get(keys.token(token)));
      return text === null ? undefined : (JSON.parse(text) as TokenRecord);
    },
  };
}
