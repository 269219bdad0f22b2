import { hash, randomBytes } from 'node:crypto';
import { StoreUnavailable } from '../errors.js';
import type { User } from '../users.js';
import { type IssuedNonce, keyOctets, lastInstance, NonceSeal } from './nonce-seal.js';
import { SlowChecks, slowHash } from './slow-hash.js';
import type { Store, TokenRecord } from './store.js';

const keys = {
  all: 'hydrauth:*',
  nonceKey: 'hydrauth:nonce-key',
  instances: 'hydrauth:instances',
  users: 'hydrauth:users',
  spent: ({ instance, issuedAtMs, sequence }: IssuedNonce) => `hydrauth:spent:${instance}:${issuedAtMs}:${sequence}`,
  /** Under a hash: what Redis holds opens nothing. */
  token: (token: string) => `hydrauth:token:${hash('sha256', token, 'base64url')}`,
};

/** The key of this run of Redis (the first argument), or else the one that is given becomes it. */
const keyOfRun = `
local kept = redis.call('GET', KEYS[1])
if kept and string.sub(kept, 1, #ARGV[1]) == ARGV[1] then return kept end
redis.call('SET', KEYS[1], ARGV[2])
return ARGV[2]`;

/** Spends a nonce: 1 for one caller only. -1 where the key that it was made with is not there any more, and so what was spent may not be, either. */
const spendOnce = `
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return -1 end
return redis.call('SET', KEYS[1], '1', 'NX', 'PX', ARGV[2]) and 1 or 0`;

/**
 * Users, spent nonces and tokens in Redis, so that several instances act as one. The key of the nonces lives beside the spent ones and
 * belongs to one run of Redis: one that was emptied, or came back with older data, has another key, and no nonce opens twice. Redis counts on a
 * clock of its own, so it keeps everything for `graceMs` longer than its life; what has expired is decided by the server's clock.
 */
export function redisStore(url: string, configured: readonly User[], graceMs: number): Store {
  const checks = new SlowChecks();
  let seal: NonceSeal | undefined;

  const synchronise = async (client: Client) => {
    const run = `${await runOf(client)} `;
    const fresh = run + randomBytes(keyOctets).toString('base64');
    const epoch = String(await client.eval(keyOfRun, { keys: [keys.nonceKey], arguments: [run, fresh] }));
    const key = Buffer.from(epoch.slice(run.length), 'base64');
    seal = new NonceSeal(key, (await client.incr(keys.instances)) % (lastInstance + 1), epoch);
    for (const user of configured) await ensureUser(client, user);
  };

  /** A configured user is put back when Redis has lost it, and when its paraphrase is another one now. */
  const ensureUser = async (client: Client, { id, paraphrase }: User) => {
    const stored = (await client.hGet(keys.users, String(id))) ?? undefined;
    if (stored !== undefined && (await checks.check(paraphrase, stored))) return;
    await client.hSet(keys.users, String(id), await slowHash(paraphrase));
  };

  const link = redisLink(url, synchronise);
  // Under load many requests are read before any is answered: what they look for is asked for at once.
  let wanted: string[] = [];
  let found: Promise<readonly unknown[]> | undefined;
  const readWanted = () => {
    const asked = wanted;
    [wanted, found] = [[], undefined];
    return link.ask((client) => client.mGet(asked));
  };
  const lifeMs = (expiresAtMs: number, nowMs: number) => Math.max(1, Math.ceil(expiresAtMs - nowMs)) + graceMs;

  return {
    open: link.open,
    close: link.close,
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
    spend: (nonce, expiresAtMs, nowMs) =>
      link.ask(async (client) => {
        const given = [nonce.epoch, String(lifeMs(expiresAtMs, nowMs))];
        const spent = await client.eval(spendOnce, { keys: [keys.spent(nonce), keys.nonceKey], arguments: given });
        if (spent === -1) await synchronise(client);
        return spent === 1;
      }),
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
      const place = wanted.push(keys.token(token)) - 1;
      found ??= new Promise((resolve) => setImmediate(resolve)).then(readWanted);
      const text = (await found)[place];
      return typeof text === 'string' ? recordIn(text) : undefined;
    },
  };
}

/** The id of a run of Redis. Throws where Redis may drop what was spent to make room. */
async function runOf(client: Client): Promise<string> {
  const info = await client.info();
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'noeviction';
  if (policy !== 'noeviction')
    throw new StoreUnavailable(`its maxmemory-policy is ${policy}, by which it may forget that a nonce was spent; noeviction is allowed`);
  return /^run_id:(\S+)/m.exec(info)?.[1] ?? '';
}

/** A record as it was written here; anything else is no token. */
function recordIn(text: string): TokenRecord | undefined {
  try {
    const { user, issuedAtMs, expiresAtMs, ...others } = JSON.parse(text);
    const isOurs = Number.isSafeInteger(user) && Number.isFinite(issuedAtMs) && Number.isFinite(expiresAtMs);
    return isOurs && Object.keys(others).length === 0 ? { user, issuedAtMs, expiresAtMs } : undefined;
  } catch {
    return undefined;
  }
}

type Client = Awaited<ReturnType<typeof clientOf>>;

const answerWithinMs = 2000;
const queuedCommands = 10_000;
const longestPauseMs = 1000;

/** A connection that comes back by itself. Until it is there and `synchronise` has run over it, everything is unavailable. */
function redisLink(url: string, synchronise: (client: Client) => Promise<void>) {
  const where = new URL(url).host;
  let client: Client | undefined; // while it is open
  let isReady = false;

  const lost = () => {
    isReady = false;
  };
  const back = async (): Promise<void> => {
    const made = client;
    if (!made?.isReady) return;
    try {
      await synchronise(made);
      isReady = client === made;
    } catch {
      // The connection was lost again or the server is still loading; try until it stays.
      setTimeout(() => void back(), longestPauseMs).unref();
    }
  };
  /** Throws unless the store can be asked now. */
  const assertReady = () => {
    if (isReady && client !== undefined) return client;
    throw new StoreUnavailable(`the store at ${where} is not reachable`);
  };
  return {
    assertReady,
    async close(): Promise<void> {
      if (client?.isOpen) client.destroy();
      client = undefined;
    },
    async open(): Promise<void> {
      const made = await clientOf(url, () => client !== undefined);
      try {
        await made.on('error', lost).on('reconnecting', lost).on('ready', back).connect();
        await synchronise(made);
      } catch (error) {
        if (made.isOpen) made.destroy();
        const verb = error instanceof StoreUnavailable ? 'used' : 'reached';
        throw new StoreUnavailable(`the store at ${where} cannot be ${verb}: ${reason(error)}`);
      }
      [client, isReady] = [made, true];
    },
    async ask<T>(command: (client: Client) => Promise<T>): Promise<T> {
      const ready = assertReady();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`no answer within ${answerWithinMs} ms`)), answerWithinMs);
      });
      try {
        return await Promise.race([command(ready), late]);
      } catch (error) {
        throw new StoreUnavailable(`the store at ${where} failed: ${reason(error)}`);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** The package is large and is loaded only where it is used. */
async function clientOf(url: string, opened: () => boolean) {
  const { createClient } = await import('redis');
  return createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: queuedCommands,
    socket: { reconnectStrategy: (retries, cause) => (opened() ? Math.min(25 * 2 ** Math.min(retries, 10), longestPauseMs) : cause) },
  });
}

function reason(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || String(error);
}
