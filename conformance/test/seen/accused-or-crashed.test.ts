import { describe, expect, test } from 'vitest';
import { isFull } from '../../../fixtures/test/depth.js';
import { logIn } from '../../../fixtures/test/visiting.js';
import { defaultUsers } from '../../../reference-server/index.js';
import { checking, failedOf, failuresOf, judged, judging, serving, stackTrace, type Wrong, warnedOf } from './judging.js';
import { notModifiedLogin, zeroOctetFiltered } from './odd-answers.js';
import {
  cachingProxy,
  entryPointForEverybody,
  everySeventhNonceMissing,
  hangsUpAtLast,
  locksSilently,
  loginsLimited,
  peopleForEverybody,
  vocabularyForEverybody,
} from './services.js';

const manual = { clock: 'manual' } as const;

describe('both engines at once do not run into each other', () => {
  test.each<[string, string[]]>([
    ['nonce-ends-with-a-login', []],
    ['one-token-at-all', ['token.independent']],
  ])(
    '%s',
    async (id, violated) => {
      for (const seed of isFull ? [1, 2, 3] : [1]) {
        const report = await judged([id], { engine: 'all', seed, only: ['exchange', 'token'] }, manual);
        expect([seed, failedOf(report), warnedOf(report)]).toEqual([seed, violated, []]);
        expect(report.verdict).toBe(violated.length === 0 ? 'conformant' : 'non-conformant');
      }
    },
    120_000,
  );
});

describe('a service that conforms in its own way is conformant', () => {
  test.each<[string, Wrong]>([
    ['304 to If-None-Match: * in Step B', notModifiedLogin],
    ['an account that locks silently after three wrong attempts', locksSilently],
    ['a filter before it that refuses an encoded zero octet', zeroOctetFiltered],
  ])('%s', async (_, wrong) => {
    for (const seed of isFull ? [1, 2, 3] : [1]) {
      const report = await judged([wrong], { only: ['exchange', 'token.sufficient', 'protection'], seed }, manual);
      expect([failedOf(report), warnedOf(report), report.verdict]).toEqual([[], [], 'conformant']);
    }
  });

  test('an account that locks for good after three refused logins, for whatever reason', async () => {
    const server = await serving(['account-locked-after-three']);
    const report = await judging(server, { budget: 1000 });
    expect([failedOf(report), warnedOf(report), report.verdict]).toEqual([[], [], 'conformant']);
    // Not locked: everything that needs a login is still tested.
    const locked = report.requirements.filter(({ reason = '' }) => /\blocked\b/.test(reason));
    expect(locked.map(({ id }) => id)).toEqual([]);
    expect((await logIn(server)).status).toBe(200);
  });

  test('one that hangs up on everybody after many wrong credentials is not said to hang up on wrong ones', async () => {
    const only = ['exchange.no-server-error', 'exchange.unknown-user-refused'];
    expect(warnedOf(await judged([hangsUpAtLast], { only }))).toEqual([]);
  });

  test('429 without Retry-After on a login now and then', async () => {
    // The judge waits a second for each, within a budget of ten time-outs.
    const report = await judged(
      [loginsLimited(60)],
      { only: ['exchange.status', 'protection.history'], timeoutMs: 1000, concurrency: 4 },
      manual,
    );
    expect([failedOf(report), warnedOf(report), report.verdict]).toEqual([[], [], 'conformant']);
  });

  test('a user with the next free id and the same paraphrase, whom the judge was not told of', async () => {
    const [first] = defaultUsers;
    const users = [...defaultUsers, { id: 4, paraphrase: String(first?.paraphrase) }, { id: 0, paraphrase: String(first?.paraphrase) }];
    const report = await judged([], { users: defaultUsers, only: ['exchange', 'protection.history'] }, { users });
    expect([failedOf(report), warnedOf(report), report.verdict]).toEqual([[], [], 'conformant']);
  });
});

describe('an address that stands before the guard is told once, as open, whatever the requests to it brought', () => {
  test.each([
    ['the vocabulary', vocabularyForEverybody, 'protection.vocabulary'],
    ['a collection', peopleForEverybody, 'protection.collections'],
    ['the entry point', entryPointForEverybody, 'protection.unknown-paths'],
  ])('%s', async (_, wrong, violated) => {
    const report = await judged([wrong], { only: ['protection', 'exchange.nonce-needed', 'token'] }, manual);
    expect([failedOf(report), warnedOf(report)]).toEqual([[violated], []]);
  });
});

describe('a service that loses or remembers too much gets a verdict, and no stack trace', () => {
  test.each<[string, Wrong, string | RegExp]>([
    ['every seventh nonce is missing', everySeventhNonceMissing, 'challenge.nonce'],
    ['a proxy keeps what was served', cachingProxy, 'exchange.token-unique'],
    // Which of the two tells it depends on the connection that the first read without credentials comes upon.
    ['a login is remembered by the connection', 'connection-remembers-a-login', /protection\.collections|challenge\.status/],
  ])('%s', async (_, wrong, violated) => {
    const { code, out, err, report } = await checking((await serving([wrong])).url, []);
    expect(out + err).not.toMatch(stackTrace);
    expect(failedOf(report).join(' ')).toMatch(violated);
    expect([code, report.verdict]).toEqual([1, 'non-conformant']);
  });

  test('where something is missing now and then, the rate is told', async () => {
    const report = await judged([everySeventhNonceMissing], { only: ['challenge.nonce'], concurrency: 1 });
    const [{ rate = { failed: 0, of: 0 } } = {}] = failuresOf(report, 'challenge.nonce');
    // Some answers come before anything is judged.
    expect([6, 7]).toContain(Math.round(rate.of / rate.failed));
  });
});
