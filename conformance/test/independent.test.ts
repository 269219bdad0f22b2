import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { needs, underFaketime } from '../../fixtures/test/needs.js';
import { scratch } from '../../spec/test/scratch.js';
import { type ConformanceOptions, type Report, runConformance } from '../index.js';
import { node, python } from './servers.js';

/** Ids of what failed, and apart from that of what was warned of. */
function found(report: Report): { fail: string[]; warn: string[] } {
  const of = (outcome: string) => report.requirements.filter((each) => each.outcome === outcome).map((each) => each.id);
  return { fail: of('fail'), warn: of('warn') };
}

async function judged(server: typeof node, mistake: string, options: Partial<ConformanceOptions> = {}, env: Record<string, string> = {}) {
  const running = await server.start(mistake, env);
  try {
    return await runConformance({
      baseUrl: running.url,
      collections: server.collections,
      users: server.users,
      engine: 'laws',
      seed: 7,
      runs: 1,
      ...options,
    });
  } finally {
    await running.stop();
  }
}

const folder = scratch();

/** Other answers than the reference server's, where the source leaves them open. */
const nodesOwnWays = [
  'exchange.base64-spelling',
  'exchange.refusal-like-challenge',
  'token.beside-other-credentials',
  'token.refusal-like-challenge',
];

describe('a server on plain node:http', () => {
  test('is conformant, and the run says which of its answers are its own', async () => {
    const report = await judged(node, 'none');
    expect(report.verdict).toBe('conformant');
    expect(found(report)).toEqual({ fail: [], warn: nodesOwnWays });
    expect(report.observations.find((each) => each.id === 'exchange.wrong-credentials-answer')?.answer).toContain('400');
    expect(report.observations.find((each) => each.id === 'challenge.nonce-single-use')?.answer).toBe('yes, it can be used again');
  });
});

const python3 = needs('python3');

describe('a server in plain Python', () => {
  test.skipIf(python3.skip)(`is conformant, and warned of nothing${python3.note}`, async () => {
    const report = await judged(python, 'none');
    expect(report.error).toBeUndefined();
    expect(found(report)).toEqual({ fail: [], warn: [] });
    const untested = report.requirements.filter((each) => each.outcome === 'untested').map(({ id, reason }) => `${id}: ${reason}`);
    expect(untested.filter((id) => !id.startsWith('config.') && !id.startsWith('expiry.'))).toEqual([]);
  });
});

describe('an unmodified server under libfaketime', () => {
  const faketime = needs('libfaketime');
  const skip = faketime.skip || python3.skip;

  async function judgedUnder(server: typeof node, mistake: string) {
    const file = join(folder, `${server.collections[0]}-${mistake}`);
    writeFileSync(file, '+0\n');
    const env = underFaketime(faketime.path, file);
    return judged(server, mistake, { clock: `faketime:${file}`, only: ['expiry', 'token.sufficient', 'challenge.nonce-lifetime'] }, env);
  }

  test.skipIf(skip)(`in Python holds every law of expiry${faketime.note}`, async () => {
    const report = await judgedUnder(python, 'none');
    expect(found(report)).toEqual({ fail: [], warn: [] });
    expect(report.requirements.filter((each) => each.outcome !== 'pass')).toEqual([]);
    expect(report.observations.find((each) => each.id === 'challenge.nonce-lifetime')?.answer).toBe('10 minutes');
  });

  test.skipIf(skip)(`in Python, with a lifetime that slides, is found${faketime.note}`, async () => {
    expect(found(await judgedUnder(python, 'sliding')).fail).toEqual(['expiry.not-sliding']);
  });

  test.skipIf(skip)(`in Node, with a lifetime that is a minute short, is found${faketime.note}`, async () => {
    expect(found(await judgedUnder(node, 'short')).fail).toEqual(['expiry.valid-until']);
  });
});
