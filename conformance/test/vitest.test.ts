import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageFile, spec } from '../../spec/index.js';
import { scratch } from '../../spec/test/scratch.js';
import { describeClientConformance, describeConformance } from '../vitest.js';
import { isBuilt } from './command.js';

interface Assertion {
  readonly title: string;
  readonly ancestorTitles: readonly string[];
  readonly status: string;
  readonly failureMessages: readonly string[];
}

/** What Vitest printed, and what became of the tests of each file. */
let text = '';
let files: readonly { readonly name: string; readonly status: string; readonly assertionResults: readonly Assertion[] }[];

/** Runs Vitest on the sample project, as its owner would. */
beforeAll(async () => {
  const json = join(scratch(), 'sample.json');
  const root = packageFile('conformance', 'test', 'sample-project');
  const { CI: _, VITEST: __, ...own } = process.env;
  const args = ['run', '--root', root, '--reporter=verbose', '--reporter=json', `--outputFile.json=${json}`];
  const env = { ...own, NO_COLOR: '1', HYDRAUTH_BUILT: isBuilt() ? '1' : '' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [packageFile('node_modules', 'vitest', 'vitest.mjs'), ...args], {
    ...{ cwd: root, env, encoding: 'utf8', maxBuffer: 2 ** 26 },
  });
  expect(status).toBe(1);
  text = stdout + stderr;
  files = JSON.parse(readFileSync(json, 'utf8')).testResults;
});

const fileOf = (name: string) => files.find((file) => file.name.endsWith(`${name}.test.js`));
const testsOf = (name: string) =>
  (fileOf(name)?.assertionResults ?? []).map(({ title, ancestorTitles, status, failureMessages }) => ({
    ...{ name: title, group: ancestorTitles.join(' '), id: title.split(':')[0] as string, status, messages: failureMessages },
  }));
const statusesOf = (name: string, group: string) =>
  Object.fromEntries(testsOf(name).flatMap((each) => (each.group.endsWith(group) ? [[each.id, each.status]] : [])));

describe('a good server', () => {
  test('passes, with one test a requirement, named by its id and statement', () => {
    const rows = spec.catalogue.requirements.filter((row) => row.auth !== 'off' && !row.id.startsWith('exchange.wrong'));
    expect(testsOf('good').map(({ name }) => name)).toEqual(rows.map((row) => `${row.id}: ${row.statement}`));
    expect(testsOf('good').filter(({ status }) => status === 'failed')).toEqual([]);
    expect(fileOf('good')?.status).toBe('passed');
  });

  test('skips what nothing can check, and nothing else', () => {
    const unchecked = spec.catalogue.requirements.filter((row) => row.auth !== 'off' && row.engines.length === 0).map((row) => row.id);
    expect(
      testsOf('good')
        .filter(({ status }) => status === 'skipped')
        .map(({ id }) => id),
    ).toEqual(unchecked);
  });
});

describe('a broken server', () => {
  const of = (group: string) => Object.fromEntries(testsOf('broken').flatMap((each) => (each.group === group ? [[each.id, each]] : [])));
  const statuses = (group: string) => statusesOf('broken', group);

  test('fails what it violates, passes a warning and skips what is untested', () => {
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
    expect(text).toMatch(/expiry\.refused-after.*\[This needs a clock that can be moved/);
    expect(text).toContain('Advice: Format the date like');
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
    expect(text).toContain('[Known failure: Mended next week.]');
    expect(of('with a baseline')['challenge.status']?.messages[0]).toContain('which now passes. Remove its entry.');
  });

  test('without a verdict nothing passes and the group fails once', () => {
    expect(new Set(Object.values(statuses('nobody there')))).toEqual(new Set(['skipped']));
    expect(text.split('No verdict. The target cannot be judged.')).toHaveLength(2);
  });

  test('a target that gives what it cannot is refused by name', () => {
    expect(text).toContain('target: it cannot give strict; it may give baseUrl, collections, users, clock, ca, insecure');
  });

  test('nothing it printed holds the paraphrase or a raw control character of the server', () => {
    expect(text).not.toContain('secret-of-one');
    expect(text).not.toContain('\x1b}');
    expect(text).not.toContain('\x1b"');
  });
});

describe('clients', () => {
  const statuses = (name: string) => statusesOf('client', `hydrauth conformance of ${name}`);

  test('have one test a requirement: a warning passes, what was not exercised is skipped', () => {
    expect(statuses('a client')).toEqual({
      'client.token-as-received': 'passed',
      'client.token-reused': 'passed',
      'client.renews-token': 'skipped',
    });
    expect(text).toContain('Advice: Store the token and send it with every request.');
  });

  test('are judged strictly where it is asked for', () => {
    expect(statuses('a strict client')).toMatchObject({ 'client.token-reused': 'failed', 'client.renews-token': 'skipped' });
  });

  test('that break a MUST fail, at the place of the call', () => {
    expect(statuses('a broken client')).toMatchObject({ 'client.token-as-received': 'failed' });
    const message = testsOf('client').find(({ id, status }) => id === 'client.token-as-received' && status === 'failed')?.messages[0] ?? '';
    expect(message).toContain('Expected: a token that this service gave, as it was given');
    expect(message.split('\n').find((line) => line.startsWith('    at '))).toMatch(/client\.test\.js:\d+:\d+\)?$/);
  });

  test('and their options are checked where the call stands', () => {
    expect(() => describeClientConformance({})).toThrow('exactly one of client, command and driver is expected');
  });
});

const target = () => ({ baseUrl: 'http://127.0.0.1:1' });

test('options are checked where the call stands, before anything is registered', () => {
  expect(() => describeConformance({ only: ['no.such'], target })).toThrow('only: "no.such" matches no requirement');
  expect(() => describeConformance({ collections: ['people'] })).toThrow('at least one authorised user is needed');
  expect(() => describeConformance({ runs: 0, target })).toThrow('runs: 0 is not allowed');
  expect(() => describeConformance({ colections: ['people'], target } as object)).toThrow('colections: there is no such option');
});
