import { describe, expect, test } from 'vitest';
import { defaultUsers } from '../../../reference-server/index.js';
import type { Report } from '../../index.js';
import { failedOf, failuresOf, judged, type Wrong, warnedOf, withOutcome } from './judging.js';
import { fraction500, openEntryPoint, openUnknownPaths, unknownUser400 } from './odd-answers.js';
import { emptyParaphraseOfNobody, loginsLost, tokensOfSixteenBits } from './services.js';

const manual = { clock: 'manual' } as const;

describe('behind a token that is handed out again while it is valid', () => {
  test.each([
    ['expires-after-two-thirds', 'expiry.valid-until'],
    ['sliding', 'expiry.not-sliding'],
  ])('%s is told', async (wrong, violated) => {
    const report = await judged(['token-while-it-lives', wrong], { only: ['exchange.token-unique', 'expiry'] }, manual);
    expect(failedOf(report)).toEqual(['exchange.token-unique', violated]);
  });

  test('nothing that can be tested stays untested, and every question is answered', async () => {
    const report = await judged(['token-while-it-lives'], {}, manual);
    expect([failedOf(report), warnedOf(report)]).toEqual([['exchange.token-unique'], []]);
    const isHidden = ({ outcome, reason = '' }: Report['requirements'][number]) =>
      outcome === 'untested' && reason !== 'What it saw is told by exchange.token-unique.';
    expect(report.requirements.filter(isHidden).map(({ id }) => id)).toEqual([
      // Where the token of an earlier login comes again, a later one has no life of its own.
      'expiry.counted-from-issue',
      'config.users',
      'config.switch-authentication',
      'config.switch-tokens',
    ]);
    expect(report.observations.filter(({ answer }) => answer === 'not observed')).toEqual([]);
    // Made with a token that was alive when it was looked at.
    const answerTo = (id: string) => report.observations.find((each) => each.id === id)?.answer;
    expect(answerTo('token.beside-credentials')).toBe('the resource, by rule 4');
    expect(answerTo('errors.other-errors')).toBe('404 Not Found');
    expect(answerTo('expiry.instant')).toBe('no, the end is exclusive');
  });
});

test.each([
  // Where all tokens end a little late, what prolongs one is seen a while later.
  ['expires-a-little-late', 'counted-from-the-last-login', ['expiry.refused-after', 'expiry.counted-from-issue']],
  // What one of them tells by a circumstance explains nothing that was seen without it.
  ['expired-token-ends-young-ones', 'token-refused-behind-a-proxy', ['token.sufficient', 'protection.history']],
  // The second collection is read with a token of its own.
  ['token-bound-to-its-collection', 'context-is-a-number', ['token.any-endpoint', 'jsonld.expands']],
])('%s is told beside %s', async (one, other, violated) => {
  const only = violated.map((id) => (id === 'protection.history' ? id : (id.split('.')[0] ?? id)));
  expect(failedOf(await judged([one, other], { only }, manual)).sort()).toEqual([...violated].sort());
});

test('beside tokens of sixteen bits, a lifetime that slides is told', async () => {
  const report = await judged(
    [tokensOfSixteenBits, 'sliding'],
    { only: ['exchange.token-unique', 'exchange.token-unguessable', 'expiry'] },
    manual,
  );
  expect(failedOf(report)).toContain('expiry.not-sliding');
  expect(warnedOf(report)).toEqual(['exchange.token-unguessable']);
});

test('an open entry point is told beside open paths that do not exist', async () => {
  const report = await judged([openEntryPoint, openUnknownPaths], { only: ['protection.unknown-paths'] });
  const told = failuresOf(report, 'protection.unknown-paths');
  expect(told.length).toBeLessThanOrEqual(5);
  const all = told.flatMap(({ expected, explains = [] }) => [expected ?? '', ...explains.map(({ what }) => what)]);
  for (const address of [
    'is the entry point (the base URL),',
    'is the entry point (the base URL) with a slash',
    'does not exist',
    'is /favicon.ico',
  ])
    expect(all.filter((each) => each.includes(`the address ${address}`))).not.toEqual([]);
});

test('a status of its own for unknown users is told beside another realm', async () => {
  const only = ['challenge.www-authenticate', 'exchange.refusal-like-challenge', 'exchange.unknown-user-refused'];
  const report = await judged([unknownUser400, 'realm-in-other-case'], { only });
  expect(failedOf(report)).toEqual(['challenge.www-authenticate']);
  expect(warnedOf(report)).toEqual(['exchange.refusal-like-challenge']);
  expect(failuresOf(report, 'exchange.refusal-like-challenge').map(({ actual }) => actual)).toEqual([
    expect.stringContaining('status 400'),
  ]);
});

test('the paraphrase of a user who cannot log in is tried on another', async () => {
  const users = defaultUsers.filter(({ id }) => id !== 2);
  const report = await judged(['latin-1'], { only: ['exchange.wrong-paraphrase-refused'], users });
  expect(withOutcome(report, 'pass')).toEqual(['exchange.wrong-paraphrase-refused']);
});

describe('odd credentials are all sent, whatever becomes of the first', () => {
  const only = ['exchange.id-spelling', 'exchange.malformed-credentials-refused', 'exchange.no-server-error'];

  test('an id with a fraction that makes the server fail, behind an id with a zero in front that is accepted', async () => {
    const report = await judged(['id-read-loosely', fraction500], { only });
    expect(warnedOf(report)).toEqual(['exchange.id-spelling', 'exchange.no-server-error']);
  });

  test('Digest credentials with parameters that make the server fail', async () => {
    const report = await judged(['digest-500'], { only });
    expect(warnedOf(report)).toEqual(['exchange.no-server-error']);
    expect(failedOf(report)).toEqual([]);
  });
});

describe('a warning does not hide a violation that only a history shows', () => {
  test.each([
    ['refusal-in-plain-text', 'exchange.refusal-like-challenge'],
    ['id-read-loosely', 'exchange.id-spelling'],
    ['stale-token-refused-first', 'exchange.beside-stale-token'],
  ])('%s', async (wrong, warned) => {
    const report = await judged(['expired-token-ends-young-ones', wrong], { only: ['protection.history', warned] }, manual);
    expect([failedOf(report), warnedOf(report)]).toEqual([['protection.history'], [warned]]);
  });
});

describe('a service with many faults is told of them all', () => {
  test.each<[string, Wrong[], string[]]>([
    [
      'sessions of a framework',
      ['realm-in-other-case', 'token-while-it-lives', 'expires-after-two-thirds', 'vocabulary-open', 'nonce-not-needed'],
      ['challenge.www-authenticate', 'exchange.token-unique', 'exchange.nonce-needed', 'expiry.valid-until', 'protection.vocabulary'],
    ],
    [
      'maps in memory, since the start of the process',
      [emptyParaphraseOfNobody, 'life-from-process-start', loginsLost(40, 500), 'link-missing-on-exchange', 'delete-open'],
      ['headers.link', 'exchange.status', 'exchange.unknown-user-refused', 'expiry.counted-from-issue', 'protection.methods'],
    ],
  ])('%s', async (_, wrong, violated) => {
    const report = await judged(wrong, { seed: 1 }, manual);
    expect(failedOf(report)).toEqual(expect.arrayContaining(violated));
    // A login that is lost where a row looks for something else is told by that row, too; which logins are lost depends on their order.
    const more = failedOf(report).filter((id) => !violated.includes(id));
    for (const { actual } of more.flatMap((id) => failuresOf(report, id))) expect(actual).toMatch(/^500/);
  });
});
