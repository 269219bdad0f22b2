import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { needs } from '../../fixtures/test/needs.js';
import { createReferenceServer, type RunningServer, StoreUnavailable, startReferenceServer } from '../index.js';
import { redisStore } from '../stores/index.js';
import { RedisServer } from './redis-server.js';
import { alice, aliceBasic, basic, missingCommon } from './support.js';

const program = needs('redis-server');

const ask = (url: string, headers: Record<string, string> = {}) => fetch(`${url}/books`, { headers });
const challenge = async (url: string) => (await ask(url)).headers.get('x-authentication') as string;
const exchange = (url: string, nonce: string, authorization = aliceBasic) => ask(url, { 'x-authentication': nonce, authorization });
const logIn = async (url: string, authorization = aliceBasic) =>
  (await exchange(url, await challenge(url), authorization)).headers.get('x-authorization') as string;
const use = async (url: string, token: string) => (await ask(url, { 'x-authorization': token })).status;

/** One Redis for all, which each test leaves as it can be used. */
describe.skipIf(program.skip)(`with Redis${program.note}`, () => {
  let redis: RedisServer;
  let one: RunningServer;
  let two: RunningServer;
  beforeAll(async () => {
    redis = await RedisServer.start(program.path);
    // A user takes a slow hash at each start.
    const start = () => startReferenceServer({ store: redis.url, users: [alice] });
    [one, two] = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    await Promise.all([one.close(), two.close()]);
    await redis.stop('SIGKILL');
  });

  const command = async (...words: string[]) => {
    const { createClient } = await import('redis');
    const client = await createClient({ url: redis.url }).connect();
    const told = await client.sendCommand(words);
    client.destroy();
    return told;
  };
  /** Both have found the Redis that is there now. */
  const bothAnswer = async (token = '', status = 401) => {
    for (const { url } of [one, two])
      await vi.waitFor(async () => expect(await use(url, token)).toBe(status), { timeout: 15_000, interval: 50 });
  };
  /** Neither of them opens these, and both let everybody log in for the other. */
  const goOnWithout = async (...nonces: readonly string[]) => {
    for (const { url } of [one, two]) for (const nonce of nonces) expect((await exchange(url, nonce)).status).toBe(401);
    expect([await use(two.url, await logIn(one.url)), await use(one.url, await logIn(two.url))]).toEqual([200, 200]);
    expect((await exchange(one.url, await challenge(two.url))).status).toBe(200);
  };

  test('a nonce from one instance opens on the other, exactly once on both', async () => {
    const nonce = await challenge(one.url);
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => exchange((index % 2 === 0 ? one : two).url, nonce)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });

  test('users and tokens are those of both instances; wrong credentials spend the nonce on both', async () => {
    await one.addUser({ id: 8, paraphrase: 'late' });
    const token = await logIn(one.url, basic(8, 'late'));
    expect(await logIn(two.url, basic(8, 'late'))).not.toBeNull();
    const nonce = await challenge(one.url);
    expect((await exchange(one.url, nonce, basic(8, 'wrong'))).status).toBe(401);
    expect((await exchange(two.url, nonce, basic(8, 'late'))).status).toBe(401);
    await one.addUser({ id: 8, paraphrase: 'changed' });
    for (const wrong of ['late', 'changed\0', '\0changed']) expect(await logIn(two.url, basic(8, wrong))).toBeNull();
    expect(await logIn(two.url, basic(8, 'changed'))).not.toBeNull();
    await one.removeUser(8);
    expect(await logIn(two.url, basic(8, 'changed'))).toBeNull();
    expect([await use(one.url, token), await use(two.url, token)]).toEqual([200, 200]);
    await one.expire(token);
    expect([await use(one.url, token), await use(two.url, token)]).toEqual([401, 401]);
  });

  test('credentials without a nonce that opens are checked for nobody, so that they cost nothing and tell nothing', async () => {
    const nonces = [undefined, 'x', '00000000-0000-4000-8000-000000000000'];
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) => {
        const nonce = nonces[at % nonces.length];
        return ask(one.url, { authorization: basic(1, `guess ${at}`), ...(nonce !== undefined && { 'x-authentication': nonce }) });
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(one.recorded.at(-1)?.presented).toMatchObject({ credentials: 'unchecked', user: 1 });
  });

  test('Redis holds neither paraphrases nor tokens, and a token record that is not as it was written is no token', async () => {
    const keys = async (like: string) => (await command('KEYS', like)) as unknown as string[];
    const before = await keys('hydrauth:token:*');
    const token = await logIn(one.url);
    const found: unknown[] = [];
    for (const key of await keys('*')) found.push(key, await command(...(key === 'hydrauth:users' ? ['HGETALL', key] : ['GET', key])));
    const text = JSON.stringify(found);
    expect(text).toContain('scrypt:');
    for (const secret of [token, alice.paraphrase]) expect(text).not.toContain(secret);

    const [key = ''] = (await keys('hydrauth:token:*')).filter((each) => !before.includes(each));
    const life = '"issuedAtMs":0,"expiresAtMs"';
    const records = ['x', '{}', 'null', '[]', '{"user":1}', `{"user":1,${life}:"9999999999999"}`, `{"user":1.5,${life}:9e99}`];
    for (const record of [...records, `{"user":1,${life}:9e99,"x":1}`]) {
      await command('SET', key, record);
      expect([record, await use(one.url, token), await use(two.url, token)]).toEqual([record, 401, 401]);
    }
    await command('DEL', key);
    await command('RPUSH', key, 'x');
    expect(await use(one.url, token)).toBe(401);
    await command('DEL', key);
  });

  test('Redis gone: a 503 keyed by status; Redis back with its data: all goes on', async () => {
    const token = await logIn(one.url);
    const [nonce, spent] = [await challenge(one.url), await challenge(one.url)];
    await exchange(one.url, spent);
    await redis.stop();
    const brought = [{}, { 'x-authorization': token }, { 'x-authentication': nonce, authorization: aliceBasic }];
    for (const headers of brought as Record<string, string>[]) {
      const answer = await ask(one.url, headers);
      expect([answer.status, await answer.json()]).toEqual([503, { 503: 'The store cannot be reached now; try again later' }]);
      expect(missingCommon(Object.fromEntries(answer.headers))).toEqual([]);
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    await redis.start();
    await bothAnswer(token, 200);
    await goOnWithout(spent, nonce);
  });

  test('a Redis that hangs is a 503 within seconds', async () => {
    const token = await logIn(one.url);
    redis.freeze();
    try {
      expect(await use(one.url, token)).toBe(503);
    } finally {
      redis.thaw();
    }
    await bothAnswer(token, 200);
  });

  test('a Redis that was emptied while it ran opens no nonce twice', async () => {
    const nonces = [await challenge(one.url), await challenge(two.url)];
    for (const nonce of nonces) expect((await exchange(one.url, nonce)).status).toBe(200);
    await command('FLUSHALL');
    await goOnWithout(...nonces);
  });

  test('nor does it while the new key is fetched', async () => {
    const store = redisStore(redis.url, [], 0);
    await store.open();
    const nonce = store.seal().issue(0);
    const spend = async () => {
      const opened = store.seal().open(nonce);
      return opened !== undefined && (await store.spend(opened, 60_000, 0));
    };
    expect(await spend()).toBe(true);
    await command('FLUSHALL');
    let isFetched = false;
    const tried = [spend().finally(() => (isFetched = true))];
    // Once in every turn of the loop, so that one falls between any two answers of Redis.
    while (!isFetched) {
      await new Promise((resolve) => setImmediate(resolve));
      tried.push(spend());
    }
    const told = await Promise.allSettled(tried);
    await store.close();
    expect(told.filter((each) => each.status === 'fulfilled' && each.value)).toEqual([]);
  });

  test('Redis back without its data, and then with an older snapshot: old tokens and nonces are dead, and everybody can log in again', async () => {
    const token = await logIn(one.url);
    const [spent, unspent] = [await challenge(one.url), await challenge(one.url)];
    await exchange(one.url, spent);
    await redis.stop('SIGKILL');
    redis.settings = { appendonly: 'no' };
    redis.forget();
    await redis.start();
    await bothAnswer();
    expect([await use(one.url, token), await use(two.url, token)]).toEqual([401, 401]);
    await goOnWithout(spent, unspent);
    const nonce = await challenge(one.url);
    await command('SAVE');
    expect((await exchange(one.url, nonce)).status).toBe(200);
    await redis.stop('SIGKILL');
    await redis.start();
    await bothAnswer();
    await goOnWithout(nonce);
  });

  test('reset forgets tokens and nonces', async () => {
    const [token, nonce] = [await logIn(one.url), await challenge(one.url)];
    await one.reset();
    for (const { url } of [one, two]) expect([await use(url, token), (await exchange(url, nonce)).status]).toEqual([401, 401]);
    expect(await use(one.url, await logIn(two.url))).toBe(200);
  });

  test('a Redis that may drop what was spent is refused, and the reason is said', async () => {
    for (const policy of ['volatile-lru', 'volatile-ttl', 'allkeys-random']) {
      await command('CONFIG', 'SET', 'maxmemory-policy', policy);
      await expect(startReferenceServer({ store: redis.url })).rejects.toThrow(
        new RegExp(`^the store at 127\\.0\\.0\\.1:\\d+ cannot be used: its maxmemory-policy is ${policy}, .*; noeviction is allowed$`),
      );
    }
  });
});

test('a store that cannot be reached at the start is said plainly, without its password', async () => {
  const starting = startReferenceServer({ store: 'redis://user:secret@127.0.0.1:1' });
  await expect(starting).rejects.toThrow(StoreUnavailable);
  await expect(starting).rejects.toThrow(/^the store at 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/);
});

test('before it is initialized, a server with Redis answers 503', async () => {
  const answer = await createReferenceServer({ store: 'redis://127.0.0.1:1' }).inject('/api/books');
  expect(answer.statusCode).toBe(503);
});
