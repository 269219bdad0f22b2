import { describe, expect, test } from 'vitest';
import { needs } from '../../fixtures/test/needs.js';
import { manualClock } from '../../reference-server/index.js';
import { runConformance } from '../index.js';
import { deployments } from './deployments.js';

const redis = needs('redis-server');

describe.each(deployments)('%s', (_name, needsRedis, deploy) => {
  test.skipIf(needsRedis && redis.skip).each(['system', 'manual'])(
    `is conformant with the %s clock${needsRedis ? redis.note : ''}`,
    async (kind) => {
      const { call, stop } = await deploy(kind === 'manual' ? manualClock() : undefined, redis.path);
      try {
        const report = await runConformance({ ...call, engine: 'laws', runs: 1, seed: 1 });
        const found = report.requirements.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn').map(({ id }) => id);
        expect([report.verdict, found]).toEqual(['conformant', []]);
        const expiry = report.requirements.find(({ id }) => id === 'expiry.refused-after');
        if (call.auth !== 'off') expect(expiry?.outcome).toBe(kind === 'manual' ? 'pass' : 'untested');
      } finally {
        await stop();
      }
    },
  );
});
