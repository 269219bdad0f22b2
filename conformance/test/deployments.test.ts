import { describe, expect, test } from 'vitest';
import { needs } from '../../fixtures/test/needs.js';
import { manualClock } from '../../reference-server/index.js';
import { runConformance } from '../index.js';
import { deployments, twoInstances } from './deployments.js';

const redis = needs('redis-server');

describe.each(deployments)('%s', (_, needsRedis, deploy) => {
  test.skipIf(needsRedis && redis.skip)(`is conformant${needsRedis ? redis.note : ''}`, async () => {
    const { call, stop } = await deploy(manualClock(), redis.path);
    const report = await runConformance({ ...call, engine: 'laws', runs: 1, seed: 1, budget: 900 }).finally(stop);
    const found = report.requirements.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn').map(({ id }) => id);
    expect([report.verdict, found]).toEqual(['conformant', []]);
    expect(report.requirements.find(({ id }) => id === 'expiry.refused-after')?.outcome).toBe('pass');
  });
});

test('two instances that share nothing are told as one thing, with the rate and the likely cause', async () => {
  const { call, stop } = await twoInstances(manualClock());
  const report = await runConformance({ ...call, engine: 'laws', runs: 1, seed: 1, budget: 900 }).finally(stop);
  const failed = report.requirements.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn');
  const told = failed.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome === 'fail'));
  expect(told.map(({ id, rate }) => [id, rate])).toEqual([['token.reusable/every-time', { failed: 8, of: 16 }]]);
  expect(told[0]?.cause).toContain('several processes or instances that do not share nonces and tokens');
  const untested = report.requirements.filter(({ outcome, checks }) => outcome === 'untested' && checks.length > 0);
  expect(JSON.stringify(untested)).not.toMatch(/locked|other users/);
});

test('what only the other of two instances refuses is not taken for the end of a token', async () => {
  const { call, stop } = await twoInstances(manualClock());
  const report = await runConformance({ ...call, clock: 'exec:true', engine: 'laws', runs: 1, seed: 1 }).finally(stop);
  expect([report.verdict, report.error]).toEqual(['non-conformant', expect.stringContaining('the server did not follow')]);
  expect(report.requirements.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id)).toEqual(['token.reusable']);
});
