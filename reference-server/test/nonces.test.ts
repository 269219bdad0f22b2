import { describe, expect, test } from 'vitest';
import { spec } from '../../spec/index.js';
import { type Clock, createReferenceServer, defaultParts, manualClock, type Parts } from '../index.js';
import { memoryStore } from '../stores/index.js';
import { aliceBasic, get, logIn, nonceOf } from './support.js';

const exchange = async (server: ReturnType<typeof createReferenceServer>, nonce: string) =>
  (await get(server, '/api/books', { 'x-authentication': nonce, authorization: aliceBasic })).statusCode;

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
  test('is not spent without credentials, nor beside a valid token', async () => {
    const server = createReferenceServer();
    const token = await logIn(server);
    const nonce = await nonceOf(server);
    await get(server, '/api/books', { 'x-authentication': nonce });
    const beside = await get(server, '/api/books', { 'x-authentication': nonce, authorization: aliceBasic, 'x-authorization': token });
    expect(beside.payload).toContain('hydra:Collection');
    expect(await exchange(server, nonce)).toBe(200);
  });

  test.each([
    [299_999, 200],
    [300_000, 401],
  ])('lives five minutes, on the server clock, to the millisecond: after %i', async (ms, status) => {
    const clock = manualClock();
    const server = createReferenceServer({ clock });
    const nonce = await nonceOf(server);
    clock.advance({ ms });
    expect(await exchange(server, nonce)).toBe(status);
  });

  test('of another server, of another letter case or with a changed digit does not open', async () => {
    const server = createReferenceServer();
    const nonce = await nonceOf(server);
    const swap = (at: number) => nonce.slice(0, at) + (nonce[at] === 'a' ? 'b' : 'a') + nonce.slice(at + 1);
    const spelled = [nonce.toUpperCase(), nonce.replaceAll('-', ''), `${nonce} x`, `{${nonce}}`, '', swap(0), swap(11), swap(35)];
    for (const each of [await nonceOf(createReferenceServer()), ...spelled])
      expect([each, await exchange(server, each)]).toEqual([each, 401]);
    expect(await exchange(server, nonce)).toBe(200);
  });
});

describe('under a flood', () => {
  test('100,000 challenges are all different, and the nonce before them still opens', async () => {
    const { nonces } = partsOf();
    const first = nonces.issue();
    const seen = new Set<string>();
    for (let count = 0; count < 100_000; count++) seen.add(nonces.issue());
    expect(seen.size).toBe(100_000);
    expect([await nonces.spend(first), await nonces.spend(first)]).toEqual([true, false]);
  });

  test('spent nonces are forgotten only when they have expired, and a clock that went back opens none again', async () => {
    let nowMs = 1_000_000;
    const { nonces } = partsOf({ now: () => nowMs });
    const flood = () => {
      for (let count = 0; count < 40_000; count++) nonces.issue();
    };
    const [early, over] = [nonces.issue(), nonces.issue()];
    expect(await nonces.spend(early)).toBe(true);
    flood();
    nowMs += 299_999;
    const late = nonces.issue();
    expect([await nonces.spend(late), await nonces.spend(early)]).toEqual([true, false]);
    nowMs += 2;
    flood();
    expect(await nonces.spend(nonces.issue())).toBe(true); // what has ended is forgotten now
    expect([await nonces.spend(late), await nonces.check(early)]).toEqual([false, false]);
    nowMs -= 300_001;
    expect([await nonces.spend(early), await nonces.spend(over)]).toEqual([false, false]);
    expect(await nonces.spend(nonces.issue())).toBe(true);
  });

  test('a nonce from the future, beyond what clocks may differ, does not open', async () => {
    const store = memoryStore();
    const here = partsOf(manualClock(1_000_000), store);
    const ahead = (ms: number) => partsOf(manualClock(1_000_000 + ms), store).nonces.issue();
    expect([await here.nonces.check(ahead(59_999)), await here.nonces.check(ahead(60_000))]).toEqual([true, false]);
  });
});
