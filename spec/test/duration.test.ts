import { expect, test } from 'vitest';
import { durationWords } from '../index.js';

test.each([
  [2_700_000, '45 minutes'],
  [2_701_000, '45 minutes and 1 second'],
  [3_600_000, '1 hour'],
  [90_061_500, '1 day, 1 hour, 1 minute, 1 second and 500 ms'],
  [0, '0 ms'],
])('%i ms are %s', (ms, words) => {
  expect(durationWords(ms)).toBe(words);
});
