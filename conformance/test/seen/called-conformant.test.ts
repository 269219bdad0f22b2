import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../../fixtures/fixture.js';
import { needs, underFaketime } from '../../../fixtures/test/needs.js';
import { manualClock } from '../../../reference-server/index.js';
import { runConformance } from '../../index.js';
import { node } from '../servers.js';
import { atTheEnd, checking, failedOf, failuresOf, judged, scratch, serving, warnedOf, withOutcome } from './judging.js';
import { emptyParaphraseOfNobody, endsCountedFromTheStart, limiter, loginsLost, tokenBehindAnEmptyLine } from './services.js';

const dayOf = (ms: number) => Math.floor(ms / 86_400_000);

describe('tokens that all end 45 minutes after the start of the service', () => {
  test.each([[[]], [['wrong-credentials-401-in-other-words']]])('are told, beside %j', async (variants) => {
    const report = await judged([endsCountedFromTheStart, ...variants], {}, { clock: 'manual' });
    expect(report.verdict).toBe('non-conformant');
    expect(failedOf(report)).toContain('expiry.counted-from-issue');
  });

  const faketime = needs('libfaketime');
  test.skipIf(faketime.skip)(`are told under libfaketime${faketime.note}`, async () => {
    const file = join(scratch(), 'faketime');
    writeFileSync(file, '+0\n');
    const { url, stop } = await node.start('from-the-start', underFaketime(faketime.path, file));
    atTheEnd(stop);
    const { collections, users } = node;
    const report = await runConformance({ baseUrl: url, collections, users, engine: 'laws', clock: `faketime:${file}`, runs: 1, seed: 7 });
    expect(report.verdict).toBe('non-conformant');
    expect(failedOf(report)).toContain('expiry.counted-from-issue');
  });
});

test('tokens that end with the day they were issued on are told, also where the judge begins in its morning', async () => {
  const endsWithTheDay: Change = ({ tokens }) => ({
    tokens: { ...tokens, honours: (record, nowMs) => tokens.honours(record, nowMs) && dayOf(record.issuedAtMs) === dayOf(nowMs) },
  });
  const report = await judged([endsWithTheDay], {}, { clock: manualClock('2027-01-15T06:00:00Z') });
  expect(failedOf(report)).toEqual(['expiry.valid-until']);
  expect(failuresOf(report, 'expiry.valid-until')[0]?.expected).toContain('issued before the end of the day');
});

test('a valid token behind an empty line of the same name, in the answer to wrong credentials, is told', async () => {
  const report = await judged([tokenBehindAnEmptyLine], { only: ['exchange.wrong-paraphrase-refused', 'exchange.unknown-user-refused'] });
  expect(failedOf(report)).toEqual(['exchange.wrong-paraphrase-refused', 'exchange.unknown-user-refused']);
  expect(failuresOf(report, 'exchange.wrong-paraphrase-refused')[0]?.actual).toContain('with a token');
});

test('an id of nobody that gets a token with an empty paraphrase is told', async () => {
  expect(failedOf(await judged([emptyParaphraseOfNobody]))).toEqual(['exchange.unknown-user-refused']);
});

describe('what is looked up or read loosely is told', () => {
  test.each([
    ['token-as-a-pattern', 'token.unknown-refused'],
    ['nonce-as-a-pattern', 'exchange.wrong-nonce-refused'],
    ['id-as-a-pattern', 'exchange.unknown-user-refused'],
    ['paraphrase-as-a-pattern', 'exchange.wrong-paraphrase-refused'],
    ['broken-octets-dropped', 'exchange.malformed-credentials-refused'],
    ['cookie-of-the-login-opens', 'protection.headers'],
    ['options-overridden', 'protection.options'],
    ['nonce-in-the-session', 'exchange.status'],
    ['token-as-a-path', 'token.unknown-refused'],
    ['refused-post-is-carried-out', 'protection.methods'],
    ['nonce-remembers-its-user', 'exchange.wrong-paraphrase-refused'],
  ])('%s', async (wrong, violated) => {
    expect(failedOf(await judged([wrong], { only: [violated], runs: 1 }))).toEqual([violated]);
  });

  test.each([
    ['base64-decoded-loosely', 'exchange.base64-spelling'],
    ['body-taken-for-the-next-request', 'protection.body-read'],
    ['hangs-up-on-missing-colon', 'exchange.no-server-error'],
  ])('%s, with a warning', async (wrong, violated) => {
    const report = await judged([wrong], { only: [violated, 'exchange.malformed-credentials-refused'], runs: 1 });
    expect([failedOf(report), warnedOf(report)]).toEqual([[], [violated]]);
  });
});

describe('right logins that fail one time in 40', () => {
  test.each([401, 500] as const)('with %i are told, and how often it happened', async (status) => {
    const report = await judged([loginsLost(40, status)]);
    expect(report.verdict).toBe('non-conformant');
    expect(failedOf(report)).toEqual(['exchange.status']);
    const { failed = 0, of = 0 } = failuresOf(report, 'exchange.status').find(({ rate }) => rate !== undefined)?.rate ?? {};
    expect(failed).toBeGreaterThan(0);
    expect(of / failed).toBeGreaterThan(20);
    expect(of).toBeGreaterThan(100);
  });
});

test('a service that limits most requests is not called conformant: the run is incomplete', async () => {
  const server = await serving([limiter], { clock: 'manual' });
  // The judge waits a second at a time where it is not told how long, within a budget of ten time-outs.
  const { code, out, report } = await checking(server.url, ['--clock', String(server.clockUrl), '--timeout', '1000']);
  expect(report.verdict).toBe('incomplete');
  expect(code).toBe(3);
  expect(withOutcome(report, 'untested').length).toBeGreaterThan(20);
  expect(report.error).toContain('The target limits rates');
  expect(out.replace(/\s+/g, ' ')).toContain('Lift the limits of the target');
});

describe('what an engineer writes in passing is told', () => {
  test.each([
    ['paraphrase-percent-decoded', 'exchange.wrong-paraphrase-refused'],
    ['nonce-percent-decoded', 'exchange.wrong-nonce-refused'],
    ['token-percent-decoded', 'token.unknown-refused'],
    ['vocabulary-shown-to-browsers', 'protection.headers'],
  ])('%s', async (wrong, violated) => {
    expect(failedOf(await judged([wrong], { only: [violated] }))).toEqual([violated]);
  });

  test.each(['hangs-up-on-unknown-id', 'hangs-up-on-unknown-nonce', 'hangs-up-on-unknown-token', 'fails-on-odd-digits'])(
    '%s, as a warning',
    async (wrong) => {
      const only = ['exchange.no-server-error', 'exchange.unknown-user-refused', 'token.unknown-refused'];
      const report = await judged([wrong], { only });
      expect([failedOf(report), warnedOf(report), report.verdict]).toEqual([[], ['exchange.no-server-error'], 'conformant']);
    },
  );
});
