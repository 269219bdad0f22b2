import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../../fixtures/fixture.js';
import { needs, underFaketime } from '../../../fixtures/test/needs.js';
import { manualClock } from '../../../reference-server/index.js';
import { scratch } from '../../../spec/test/scratch.js';
import { runConformance } from '../../index.js';
import { node } from '../servers.js';
import { atTheEnd, checking, failedOf, failuresOf, judged, serving, withOutcome } from './judging.js';
import { emptyParaphraseOfNobody, limiter, loginsLost, tokenBehindAnEmptyLine } from './services.js';

const dayOf = (ms: number) => Math.floor(ms / 86_400_000);

test.each(['exchange.status', 'challenge.nonce-newly-issued'])('a run for %s alone sends only what can show it', async (only) => {
  const report = await judged([], { only: [only] });
  expect([report.verdict, report.requests < 600]).toEqual(['conformant', true]);
});

describe('tokens that all end 45 minutes after the start of the service', () => {
  test('are told, also beside refusals in other words', async () => {
    const wrong = ['life-from-process-start', 'wrong-credentials-401-in-other-words'];
    const report = await judged(wrong, { only: ['expiry', 'token'] }, { clock: 'manual' });
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
    const report = await runConformance({
      baseUrl: url,
      collections,
      users,
      engine: 'laws',
      clock: `faketime:${file}`,
      runs: 1,
      seed: 7,
      only: ['expiry', 'token'],
    });
    expect(report.verdict).toBe('non-conformant');
    expect(failedOf(report)).toContain('expiry.counted-from-issue');
  });
});

test('tokens that end with the day they were issued on are told, also where the judge begins in its morning', async () => {
  const endsWithTheDay: Change = ({ tokens }) => ({
    tokens: { ...tokens, honours: (record, nowMs) => tokens.honours(record, nowMs) && dayOf(record.issuedAtMs) === dayOf(nowMs) },
  });
  const report = await judged([endsWithTheDay], { only: ['expiry', 'token'] }, { clock: manualClock('2027-01-15T06:00:00Z') });
  expect(failedOf(report)).toEqual(['expiry.valid-until']);
  expect(failuresOf(report, 'expiry.valid-until')[0]?.expected).toContain('issued before the end of the day');
});

test('a valid token behind an empty line of the same name, in the answer to wrong credentials, is told', async () => {
  const report = await judged([tokenBehindAnEmptyLine], { only: ['exchange.wrong-paraphrase-refused', 'exchange.unknown-user-refused'] });
  expect(failedOf(report)).toEqual(['exchange.wrong-paraphrase-refused', 'exchange.unknown-user-refused']);
  expect(failuresOf(report, 'exchange.wrong-paraphrase-refused')[0]?.actual).toContain('with a token');
});

test('an id of nobody that gets a token with an empty paraphrase is told', async () => {
  expect(failedOf(await judged([emptyParaphraseOfNobody], { only: ['exchange'] }))).toEqual(['exchange.unknown-user-refused']);
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
  const { code, out, report } = await checking(server.url, ['--clock', String(server.clockUrl), '--timeout', '500']);
  expect(report.verdict).toBe('incomplete');
  expect(code).toBe(3);
  expect(withOutcome(report, 'untested').length).toBeGreaterThan(20);
  expect(report.error).toContain('The target limits rates');
  expect(out.replace(/\s+/g, ' ')).toContain('Raise the limits of the server');
});
