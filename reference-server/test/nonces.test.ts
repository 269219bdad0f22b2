import { describe, expect, test } from 'vitest';
import { spec } from '../../spec/index.js';
import { type Clock, createReferenceServer, defaultParts, manualClock, type Parts } from '../index.js';
import { memoryStore } from '../stores/index.js';
import { aliceBasic, basic, get, logIn, nonceOf } from './support.js';

const exchange = (server: ReturnType<typeof createReferenceServer>, nonce: string, authorization = aliceBasic) =>
  get(server, '/api/books', { 'x-authentication': nonce, authorization });

function partsOf(clock: Clock = manualClock(), store = memoryStore()): Parts {
  return defaultParts({
    spec,
    clock,
    store,
    collections: ['books'],
    users: [],
    guard: { auth: 'on', tokens: 'on', refusalSpendsNonce: true },
    nonce: { lifetimeMs: 300_000, singleUse: true },
  });
}

describe('a nonce', () => {
  test('opens once, or again where it is not single-use', async () => {
    for (const nonceSingleUse of [true, false]) {
      const server = createReferenceServer({ nonceSingleUse });
      const nonce = await nonceOf(server);
      const statuses = [(await exchange(server, nonce)).statusCode, (await exchange(server, nonce)).statusCode];
      expect(statuses).toEqual([200, nonceSingleUse ? 401 : 200]);
    }
  });

  test('is spent by wrong credentials, unless the setting says otherwise', async () => {
    for (const refusalSpendsNonce of [true, false]) {
      const server = createReferenceServer({ refusalSpendsNonce });
      const nonce = await nonceOf(server);
      expect((await exchange(server, nonce, basic(1, 'wrong'))).statusCode).toBe(401);
      expect((await exchange(server, nonce)).statusCode).toBe(refusalSpendsNonce ? 401 : 200);
      expect((await exchange(server, nonce)).statusCode).toBe(401);
    }
  });

  test('is not spent without credentials, nor beside a valid token', async () => {
    const server = createReferenceServer();
    const token = await logIn(server);
    const nonce = await nonceOf(server);
    await get(server, '/api/books', { 'x-authentication': nonce });
    const beside = await get(server, '/api/books', { 'x-authentication': nonce, authorization: aliceBasic, 'x-authorization': token });
    expect(beside.payload).toContain('hydra:Collection');
    expect((await exchange(server, nonce)).statusCode).toBe(200);
  });

  test('lives five minutes, on the server clock, to the millisecond', async () => {
    for (const ms of [299_999, 300_000]) {
      const clock = manualClock();
      const server = createReferenceServer({ clock });
      const nonce = await nonceOf(server);
      clock.advance({ ms });
      expect((await exchange(server, nonce)).statusCode).toBe(ms < 300_000 ? 200 : 401);
    }
  });

  test('of another server, of another letter case or with a changed digit does not open', async () => {
    const server = createReferenceServer();
    const nonce = await nonceOf(server);
    const swap = (at: number) => nonce.slice(0, at) + (nonce[at] === 'a' ? 'b' : 'a') + nonce.slice(at + 1);
    const wrong = [
      await nonceOf(createReferenceServer()),
      nonce.toUpperCase(),
      nonce.replaceAll('-', ''),
      `${nonce} x`,
      `{${nonce}}`,
      '',
      swap(0),
      swap(11),
      swap(35),
    ];
    for (const each of wrong) expect([each, (await exchange(server, each)).statusCode]).toEqual([each, 401]);
    expect((await exchange(server, nonce)).statusCode).toBe(200);
  });
});

describe('under a flood', () => {
  test('100,000 challenges are all different, and the nonce before them still opens', async () => {
    const { nonces } = partsOf();
    const first = nonces.issue();
    const seen = new Set<string>();
    for (let count = 0; count < 100_000; count++) seen.add(nonces.issue());
    expect(seen.size).toBe(100_000);
    expect(await nonces.spend(first)).toBe(true);
    expect(await nonces.spend(first)).toBe(false);
  });

  test('spent nonces are forgotten only when they have expired', async () => {
    const clock = manualClock();
    const { nonces } = partsOf(clock);
    const early = nonces.issue();
    expect(await nonces.spend(early)).toBe(true);
    for (let count = 0; count < 40_000; count++) nonces.issue();
    clock.advance({ ms: 299_999 });
    const late = nonces.issue();
    expect(await nonces.spend(late)).toBe(true);
    expect(await nonces.spend(early)).toBe(false);
    clock.advance({ ms: 2 });
    for (let count = 0; count < 40_000; count++) nonces.issue();
    expect(await nonces.spend(nonces.issue())).toBe(true);
    expect(await nonces.spend(late)).toBe(false);
    expect(await nonces.check(early)).toBe(false);
  });

  test('a clock that went back opens no nonce again, and new ones open', async () => {
    let nowMs = 1_000_000;
    const { nonces } = partsOf({ now: () => nowMs });
    const [spent, over] = [nonces.issue(), nonces.issue()];
    expect(await nonces.spend(spent)).toBe(true);
    nowMs += 300_001;
    for (let count = 0; count < 40_000; count++) nonces.issue();
    expect(await nonces.spend(nonces.issue())).toBe(true); // what has ended is forgotten now
    nowMs -= 300_001;
    expect([await nonces.spend(spent), await nonces.spend(over)]).toEqual([false, false]);
    expect(await nonces.spend(nonces.issue())).toBe(true);
  });

  test('a nonce from the future, beyond what clocks may differ, does not open', async () => {
    const store = memoryStore();
    const here = partsOf(manualClock(1_000_000), store);
    const ahead = (ms: number) => partsOf(manualClock(1_000_000 + ms), store).nonces.issue();
    expect(await here.nonces.check(ahead(59_999))).toBe(true);
    expect(await here.nonces.check(ahead(60_000))).toBe(false);
  });
});
