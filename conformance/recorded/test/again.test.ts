import { expect, test } from 'vitest';
import { startReferenceServer } from '../../../fixtures/reference-server.js';
import { calling } from '../../cli/test/calling.js';
import { runConformance } from '../../index.js';

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

test('a recording that cannot be written costs no verdict', async () => {
  const users = [{ id: 1, paraphrase: 'secret' }];
  const server = await startReferenceServer({ users });
  const record = '/nowhere/run.har';
  const { verdict, remarks } = await runConformance({
    ...{ baseUrl: server.url, collections: ['people'], users },
    ...{ engine: 'laws', only: ['challenge.status'], record },
  }).finally(() => server.close());
  expect([verdict, remarks]).toEqual([
    'conformant',
    expect.arrayContaining(['The recording could not be written to /nowhere/run.har (ENOENT).']),
  ]);
});
