import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs, underFaketime } from '../../fixtures/test/needs.js';
import { scratch } from '../../spec/test/scratch.js';
import { runConformance } from '../index.js';
import { python } from './servers.js';

const python3 = needs('python3');
const faketime = python3.skip ? python3 : needs('libfaketime');

/** Servers that share no code with the kit, and have a clock of their own, are judged in fixtures/foreign. */
test.skipIf(faketime.skip)(`an unmodified server under libfaketime, with a lifetime that slides, is told${faketime.note}`, async () => {
  const file = join(scratch(), 'faketime');
  writeFileSync(file, '+0\n');
  const { url: baseUrl, stop } = await python.start('sliding', underFaketime(faketime.path, file));
  const { collections, users } = python;
  const only = ['expiry', 'token.sufficient', 'challenge.nonce-lifetime'];
  const call = { baseUrl, collections, users, only, clock: `faketime:${file}`, engine: 'laws', seed: 7, runs: 1 } as const;
  const { requirements, observations } = await runConformance(call).finally(stop);
  expect(requirements.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn').map(({ id }) => id)).toEqual([
    'expiry.not-sliding',
  ]);
  expect(observations.find(({ id }) => id === 'challenge.nonce-lifetime')?.answer).toBe('10 minutes');
});
