import { randomUUID } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startReferenceServer } from '../../../fixtures/reference-server.js';
import { listening } from '../../../spec/test/listening.js';
import { scratch } from '../../../spec/test/scratch.js';
import { calling } from '../../cli/test/calling.js';
import { runConformance } from '../../index.js';
import type { Report } from '../../report/index.js';
import { judgeRecordings } from '../index.js';

/** `hydrauth self-test --recorded` does so with all of them. */
const sample =
  'nonce-constant wrong-paraphrase-accepted-with-put expires-a-little-late post-sometimes-open context-missing wrong-credentials-403';

test('a recording is judged like its run, requirement by requirement', async () => {
  const { code, out } = await calling(['self-test', '--quick', '--recorded', '--workers', '2', '--only', ...sample.split(' ')]);
  expect(out).toContain('5 faults with 5 violations: laws find 5');
  expect(code).toBe(0);
});

const users = [{ id: 1, paraphrase: 'secret' }];

async function recordedTo(record: string) {
  await using server = await startReferenceServer({ users });
  const only = ['challenge.status'];
  return await runConformance({ baseUrl: server.url, collections: ['people'], users, engine: 'laws', only, runs: 1, strict: true, record });
}

test('a recording says that it is judged strictly, and one that was changed is taken for nothing but traffic', async () => {
  const file = join(scratch(), 'run.har');
  await recordedTo(file);
  const outcomes = async () => {
    const { remarks, requirements } = await judgeRecordings({ files: [file] });
    return { remarks: remarks.join(' '), passed: requirements.filter(({ outcome }) => outcome === 'pass').map(({ id }) => id) };
  };
  expect(await outcomes()).toEqual({ remarks: expect.stringContaining('--strict'), passed: ['challenge.status'] });
  writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(file, 'utf8')), undefined, 1));
  expect((await outcomes()).passed).toEqual(['challenge.status']);
  for (const [from, to] of [
    ['"outcome": "pass"', '"outcome": "fail"'],
    ['"status": 401', '"status": 200'],
  ] as const) {
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
    expect(await outcomes()).toEqual({
      remarks: expect.stringContaining('was changed after hydrauth wrote it'),
      passed: expect.arrayContaining(['challenge.body']),
    });
  }
});

test('what failed in a body that was cut stays as it was', async () => {
  const body = JSON.stringify({ 401: 'Need credentials to authenticate', more: 'x '.repeat(100_000) });
  const headers = { 'Content-Type': 'application/ld+json', 'X-Authentication': randomUUID() };
  await using server = await listening(createServer((_, res) => res.writeHead(401, headers).end(body)));
  const record = join(scratch(), 'large.har');
  const baseUrl = `${server.url}/api`;
  const outcome = ({ requirements }: Report) => requirements.find(({ id }) => id === 'challenge.body')?.outcome;
  const run = await runConformance({ baseUrl, collections: ['people'], users, engine: 'laws', only: ['challenge.body'], runs: 1, record });
  expect([outcome(run), outcome(await judgeRecordings({ files: [record] }))]).toEqual(['fail', 'fail']);
  expect(statSync(record).size / run.requests).toBeLessThan(70_000);
});

test('a recording that cannot be written costs no verdict', async () => {
  const { verdict, remarks } = await recordedTo('/nowhere/run.har');
  expect([verdict, remarks]).toEqual([
    'conformant',
    expect.arrayContaining(['The recording could not be written to /nowhere/run.har (ENOENT).']),
  ]);
});
