import { expect, test } from 'vitest';
import { failedOf, judged } from './judging.js';

test('a run within a budget sends no more, finds what its laws show, and says what it left out', async () => {
  const report = await judged(['challenge-403'], { budget: 500, engine: 'all' });
  expect(report.requests).toBeLessThanOrEqual(500);
  expect(failedOf(report)).toEqual(['challenge.status']);
  expect(report.remarks).toContainEqual(
    expect.stringMatching(/^For the budget of 500 requests these were left out: (\d+) of \1 combinations, the Postman collection/),
  );
});

test('what the budget did not reach is untested, and no fault of the target', async () => {
  const report = await judged([], { budget: 120 });
  const untested = report.requirements.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome === 'untested'));
  expect(untested.some(({ message }) => message === 'the budget of 120 requests was spent')).toBe(true);
  expect([report.verdict, report.requests <= 120]).toEqual(['conformant', true]);
});

test('a budget that does not reach for a login is told as a sentence', async () => {
  const report = await judged([], { budget: 4 });
  expect([report.verdict, report.error]).toEqual(['error', 'The target cannot be judged. The budget of 4 requests was spent.']);
});
