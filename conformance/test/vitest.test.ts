import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageFile, spec } from '../../spec/index.js';
import { scratch } from '../../spec/test/scratch.js';
import { describeClientConformance, describeConformance } from '../vitest.js';
import { isBuilt } from './command.js';

interface Sample {
  readonly code: number;
  /** What Vitest printed. */
  readonly text: string;
  readonly tests: readonly { name: string; group: string; id: string; status: string; messages: readonly string[] }[];
}

const folder = scratch();

/** Runs Vitest on a file of the sample project, as its owner would. */
function runSample(file: string): Promise<Sample> {
  const json = join(folder, `${file}.json`);
  const root = packageFile('conformance', 'test', 'sample-project');
  const vitest = packageFile('node_modules', 'vitest', 'vitest.mjs');
  const { CI: _, VITEST: __, ...env } = process.env;
  const args = [vitest, 'run', file, '--root', root, '--reporter=verbose', '--reporter=json', `--outputFile.json=${json}`];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { cwd: root, env: { ...env, NO_COLOR: '1', HYDRAUTH_BUILT: isBuilt() ? '1' : '' } },
      (error, stdout, stderr) => {
        const { testResults } = JSON.parse(readFileSync(json, 'utf8')) as { testResults: { assertionResults: Assertion[] }[] };
        const tests = testResults.flatMap(({ assertionResults }) => assertionResults).map(read);
        resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr, tests });
      },
    );
  });
}

interface Assertion {
  readonly title: string;
  readonly ancestorTitles: readonly string[];
  readonly status: string;
  readonly failureMessages: readonly string[];
}

function read({ title, ancestorTitles, status, failureMessages }: Assertion): Sample['tests'][number] {
  return { name: title, group: ancestorTitles.join(' '), id: title.split(':')[0] as string, status, messages: failureMessages };
}

describe('a good server', () => {
  let sample: Sample;
  beforeAll(async () => {
    sample = await runSample('good');
  });

  test('passes, with one test a requirement, named by its id and statement', () => {
    const rows = spec.catalogue.requirements.filter((row) => row.auth !== 'off' && !row.id.startsWith('exchange.wrong'));
    expect(sample.tests.map(({ name }) => name)).toEqual(rows.map((row) => `${row.id}: ${row.statement}`));
    expect(sample.tests.filter(({ status }) => status === 'failed')).toEqual([]);
    expect(sample.code).toBe(0);
  });

  test('skips what nothing can check, and nothing else', () => {
    const unchecked = spec.catalogue.requirements.filter((row) => row.auth !== 'off' && row.engines.length === 0).map((row) => row.id);
    expect(sample.tests.filter(({ status }) => status === 'skipped').map(({ id }) => id)).toEqual(unchecked);
  });
});

describe('a broken server', () => {
  let sample: Sample;
  beforeAll(async () => {
    sample = await runSample('broken');
  });

  const of = (group: string) => Object.fromEntries(sample.tests.filter((each) => each.group === group).map((each) => [each.id, each]));
  const statuses = (group: string) => Object.fromEntries(Object.values(of(group)).map((each) => [each.id, each.status]));

  test('fails what it violates, passes a warning and skips what is untested', () => {
    expect(sample.code).toBe(1);
    expect(statuses('a broken server')).toEqual({
      'challenge.status': 'passed',
      'challenge.body': 'failed',
      'headers.date-format': 'passed',
      'expiry.refused-after': 'skipped',
    });
  });

  test('is explained as the reports explain it, at the place of the call', () => {
    const [message = ''] = of('a broken server')['challenge.body']?.messages ?? [];
    expect(message).toContain('MUST, section 5 Step A');
    expect(message).toContain('Expected: {"401":"Need credentials to authenticate"}');
    expect(message).toContain('Actual: {"401": "Who are you\\x1b"}');
    expect(message).toContain('hydrauth replay report.json challenge.body');
    expect(message.split('\n').find((line) => line.startsWith('    at '))).toMatch(/broken\.test\.js:\d+:\d+\)?$/);
  });

  test('says why a test is skipped, and what a warning warns of', () => {
    expect(sample.text).toMatch(/expiry\.refused-after.*\[This needs a clock that can be moved/);
    expect(sample.text).toContain('Advice: Format the date like');
  });

  test('fails strictly on a warning and on an untested MUST too', () => {
    expect(statuses('strictly')).toEqual({
      'challenge.status': 'passed',
      'challenge.body': 'failed',
      'headers.date-format': 'failed',
      'expiry.refused-after': 'failed',
    });
    expect(of('strictly')['expiry.refused-after']?.messages[0]).toContain('Untested: This needs a clock that can be moved');
  });

  test('with a baseline: a known failure is skipped, a stale entry fails', () => {
    expect(statuses('with a baseline')).toMatchObject({ 'challenge.status': 'failed', 'challenge.body': 'skipped' });
    expect(sample.text).toContain('[Known failure: Mended next week.]');
    expect(of('with a baseline')['challenge.status']?.messages[0]).toContain('which now passes. Remove its entry.');
  });

  test('without a verdict nothing passes and the group fails once', () => {
    expect(new Set(Object.values(statuses('nobody there')))).toEqual(new Set(['skipped']));
    expect(sample.text.split('No verdict. The target cannot be judged.')).toHaveLength(2);
  });

  test('a target that gives what it cannot is refused by name', () => {
    expect(sample.text).toContain('target: it cannot give strict; it may give baseUrl, collections, users, clock, ca, insecure');
  });

  test('nothing it printed holds the paraphrase or a raw control character of the server', () => {
    expect(sample.text).not.toContain('secret-of-one');
    expect(sample.text).not.toContain('\x1b}');
    expect(sample.text).not.toContain('\x1b"');
  });
});

describe('clients', () => {
  let sample: Sample;
  beforeAll(async () => {
    sample = await runSample('client');
  });

  const statuses = (name: string) =>
    Object.fromEntries(
      sample.tests.filter(({ group }) => group === `hydrauth conformance of ${name}`).map(({ id, status }) => [id, status]),
    );

  test('have one test a requirement: a warning passes, what was not exercised is skipped', () => {
    expect(statuses('a client')).toEqual({
      'client.token-as-received': 'passed',
      'client.token-reused': 'passed',
      'client.renews-token': 'skipped',
    });
    expect(sample.text).toContain('Advice: Store the token and send it with every request.');
  });

  test('are judged strictly where it is asked for', () => {
    expect(statuses('a strict client')).toMatchObject({ 'client.token-reused': 'failed', 'client.renews-token': 'skipped' });
  });

  test('that break a MUST fail, at the place of the call', () => {
    expect(statuses('a broken client')).toMatchObject({ 'client.token-as-received': 'failed' });
    const message = sample.tests.find(({ id, status }) => id === 'client.token-as-received' && status === 'failed')?.messages[0] ?? '';
    expect(message).toContain('Expected: a token that this service gave, as it was given');
    expect(message.split('\n').find((line) => line.startsWith('    at '))).toMatch(/client\.test\.js:\d+:\d+\)?$/);
    expect(sample.code).toBe(1);
  });

  test('and their options are checked where the call stands', () => {
    expect(() => describeClientConformance({})).toThrow('exactly one of client, command and driver is expected');
  });
});

describe('options', () => {
  const target = () => ({ baseUrl: 'http://127.0.0.1:1' });

  test('are checked where the call stands, before anything is registered', () => {
    expect(() => describeConformance({ only: ['no.such'], target })).toThrow('only: "no.such" matches no requirement');
    expect(() => describeConformance({ collections: ['people'] })).toThrow('at least one authorised user is needed');
    expect(() => describeConformance({ runs: 0, target })).toThrow('runs: 0 is not allowed');
    expect(() => describeConformance({ colections: ['people'], target } as object)).toThrow('colections: there is no such option');
  });
});
