import { expect, test } from 'vitest';
import { calling } from '../../cli/test/calling.js';

/** `hydrauth self-test --recorded` does so with all of them. */
const sample = [
  ...['content-type-json-on-challenge', 'nonce-constant', 'token-of-the-user', 'wrong-paraphrase-accepted-with-put', 'nonce-not-needed'],
  ...['token-empty-accepted', 'token-twenty-times', 'expires-a-little-late', 'expires-after-two-thirds', 'post-sometimes-open'],
  ...['context-is-a-number', 'refusal-in-plain-text'],
  ...['wrong-credentials-403', 'realm-in-another-line', 'cached-in-private', 'head-not-allowed'],
];

test('a recording is judged like its run, requirement by requirement', async () => {
  const { code, out } = await calling(['self-test', '--quick', '--recorded', '--workers', '2', '--only', ...sample]);
  expect(out).toContain('12 faults with 12 violations: laws find 12');
  expect(code).toBe(0);
});
