import { expect, test } from 'vitest';
import { lax } from '../../../fixtures/logins.js';
import { packageFile } from '../../../spec/index.js';
import { exitCode, verdictSentence } from '../../report/index.js';
import { failedOf, judged } from './judging.js';
import { loginsLimited, warmingUp } from './services.js';

test('a run within a budget sends no more, finds what its laws show, and says what it left out', async () => {
  const report = await judged(['challenge-403'], { budget: 500, engine: 'all' });
  expect(report.requests).toBeLessThanOrEqual(500);
  expect(failedOf(report)).toEqual(['challenge.status']);
  expect(report.remarks).toContainEqual(
    expect.stringMatching(
      /^To stay within the budget of 500 requests, these were left out: (\d+) of \1 combinations, the Postman collection/,
    ),
  );
});

test('within 300 requests every MUST is tried once, so that a paraphrase that nobody compares is told, and a method beside it', async () => {
  const right = await judged([], { budget: 300 }, { clock: 'manual' });
  const untested = right.requirements.filter(
    ({ outcome, level, uncheckable }) => outcome === 'untested' && level === 'MUST' && !uncheckable,
  );
  expect([right.verdict, right.requests <= 300, untested]).toEqual(['conformant', true, []]);
  expect(right.requirements.some(({ restsOn }) => restsOn?.includes('the budget left out') === true)).toBe(true);
  const two = await judged([lax(() => true), 'method-before-authentication'], { budget: 300 });
  expect(failedOf(two)).toEqual(['exchange.wrong-paraphrase-refused', 'protection.methods']);
});

test('what a budget left out is said in the verdict, fails a strict run, and calls no entry of a baseline stale', async () => {
  const baseline = [{ requirement: 'exchange.wrong-paraphrase-refused', reason: 'known' }];
  const report = await judged(['paraphrase-compared-by-its-beginning'], { budget: 300, baseline }, { clock: 'manual' });
  expect([report.verdict, exitCode(report), exitCode(report, { strict: true }), report.staleBaseline]).toEqual([
    'conformant',
    0,
    1,
    undefined,
  ]);
  expect(verdictSentence(report)).toMatch(/hold, in the [\d,]+ cases that were tried; the budget left out [\d,]+\./);
});

test.each([
  ['vocabulary-open', 'protection.vocabulary'],
  ['token-once', 'token.reusable'],
  ['token-bound-to-its-connection', 'token.any-connection'],
])('a known failure explains what any failure would, whatever the seed: %s', async (id, requirement) => {
  const only = [requirement, 'headers', 'challenge', 'token'];
  const report = await judged([id], { baseline: [{ requirement, reason: 'known' }], seed: 5, only });
  expect([report.verdict, failedOf(report)]).toEqual(['conformant', []]);
});

test('a budget that does not reach what keeps strangers out gives no verdict, and names it', async () => {
  const report = await judged([], { budget: 120 });
  const untested = report.requirements.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome === 'untested'));
  expect(untested.some(({ message }) => message === 'the budget of 120 requests was spent')).toBe(true);
  expect([report.verdict, report.requests <= 120]).toEqual(['incomplete', true]);
  expect(report.error).toMatch(
    /^The budget is too small for a verdict: .*exchange\.wrong-paraphrase-refused.*\. Give a larger --budget\.$/,
  );
});

test('what is sent once more, because the server asks for that, counts as well', async () => {
  const report = await judged([loginsLimited(9, '0')], { budget: 300 });
  expect([report.requests, failedOf(report)]).toEqual([300, []]);
});

test('a budget of time ends the run, also where the server keeps it waiting', async () => {
  const report = await judged([warmingUp(1e9, '20')], { budget: '1s' });
  expect([report.verdict, report.durationMs < 15_000]).toEqual(['error', true]);
});

test('a budget is not blamed where it was not spent, as where the profile is forgotten', async () => {
  const spec = packageFile('spec', 'example.overlay.yaml');
  const report = await judged([], { budget: 300 }, { spec });
  expect(report.requests).toBeLessThan(300);
  expect(JSON.stringify([report.error, report.requirements])).not.toContain('budget');
});

test('a budget that does not reach for a login is told as a sentence', async () => {
  const report = await judged([], { budget: 4 });
  expect([report.verdict, report.error]).toEqual([
    'error',
    'The budget of 4 requests was spent before it was known whether base URL, collections and users are right. Give a larger --budget.',
  ]);
});

test.each([4, 20, 54])('a wrong collection is no violation within a budget of %i', async (budget) => {
  const report = await judged([], { budget, collections: ['nothing'] });
  expect([report.verdict, failedOf(report)]).toEqual(['error', []]);
});

test('--bail ends the run after so many violated MUST requirements, and reports what was found', async () => {
  const faults = ['challenge-403', 'paraphrase-compared-by-its-beginning'];
  const found: string[] = [];
  const onProgress = ({ found: violation }: { readonly found?: string }) => void (violation === undefined || found.push(violation));
  const first = await judged(faults, { bail: 1, onProgress });
  expect([first.verdict, exitCode(first), failedOf(first), first.requests < 300]).toEqual([
    'non-conformant',
    1,
    ['challenge.status'],
    true,
  ]);
  expect(first.remarks).toContain('The run ended after 1 violated MUST requirement (--bail).');
  expect(found).toEqual([expect.stringMatching(/^challenge\.status: Expected: .* Got: .*403/)]);
  // What the first requests show ends it before the checks, and what one violation brings about blames no other row.
  const early = await judged(['challenge-more-members'], { bail: 1 });
  expect([failedOf(early), early.requests < 100]).toEqual([['challenge.body'], true]);
  expect(failedOf(await judged(['one-token-at-all'], { bail: 1 }))).toEqual(['token.independent']);
  expect((await judged([], { bail: 1, only: ['challenge'] })).verdict).toBe('conformant');
});
