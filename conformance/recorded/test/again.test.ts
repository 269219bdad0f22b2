import { expect, test } from 'vitest';
import { calling } from '../../cli/test/calling.js';

/** `hydrauth self-test --recorded` does so with all of them. */
const sample = [
  ...[
    'content-type-json-on-challenge',
    'nonce-constant',
    'wrong-paraphrase-accepted-with-put',
    'expires-a-little-late',
    'post-sometimes-open',
  ],
  ...['wrong-credentials-403', 'cached-in-private'],
];

test('a recording is judged like its run, requirement by requirement', async () => {
  const { code, out } = await calling(['self-test', '--quick', '--recorded', '--workers', '2', '--only', ...sample]);
  expect(out).toContain('5 faults with 5 violations: laws find 5');
  expect(code).toBe(0);
});
