import { describe, expect, test } from 'vitest';
import { spec } from '../../../spec/index.js';
import { exitCode, type Report } from '../../report/index.js';
import { runClientConformance } from '../index.js';
import { scenarios } from '../scenarios.js';
import { type Mistakes, smallClient } from './small-client.js';

const { clientCatalogue } = spec;

const withOutcome = ({ requirements }: Report, ...outcomes: string[]) =>
  requirements.filter(({ outcome }) => outcomes.includes(outcome)).map(({ id }) => id);

describe('a client that does everything right', () => {
  test('passes all that can be seen of it, and its choices are observed', { timeout: 60_000 }, async () => {
    const report = await runClientConformance({ client: smallClient({ prints: true }), name: 'a small client' });
    expect(withOutcome(report, 'fail', 'warn', 'untested')).toEqual([]);
    expect(report.requirements.map(({ id }) => id)).toEqual(clientCatalogue.requirements.map(({ id }) => id));
    expect(report.verdict).toBe('conformant');
    expect(exitCode(report, { strict: true })).toBe(0);
    expect(report.target).toMatchObject({ url: 'client:a%20small%20client', client: { way: 'function', name: 'a small client' } });
    expect(Object.fromEntries(report.observations.map(({ id, answer }) => [id, answer]))).toEqual({
      'client.shared-login': 'no, several log in',
      'client.newer-token': 'no',
      'client.own-clock': 'no, it waits for the refusal',
      'client.login-again': 'yes',
      'client.other-refusal': 'no',
      'client.redirects': 'no',
    });
  });
});

describe('one mistake fails its row', () => {
  const neighbours = [
    'client.token-reused',
    'client.tells-failure',
    'client.waits-for-challenge',
    'client.gives-up-login',
    'client.other-errors',
  ];

  test.each<[string, Mistakes, string[]]>([
    ['credentials that nobody asked for', { unasked: true }, ['client.waits-for-challenge']],
    ['a login for each request', { loginEach: true }, ['client.token-reused']],
    ['redirects that take everything along', { follows: 'with everything' }, ['client.redirect-secrets']],
    ['credentials in the output', { logs: true }, ['client.output-secrets']],
    ['logins without end', { forever: true }, ['client.gives-up-login', 'client.gives-up-tokens']],
    ['failures that are not told', { silent: true }, ['client.tells-failure']],
    ['a success that is told as a failure', { quarrelsome: true }, ['client.tells-success']],
  ])('%s', { timeout: 60_000 }, async (_, mistakes, rows) => {
    const report = await runClientConformance({ client: smallClient(mistakes), only: [...new Set([...neighbours, ...rows])] });
    expect(withOutcome(report, 'fail', 'warn')).toEqual(rows);
  });
});

describe('a client that cannot read one address', () => {
  test('is asked nothing else, and nothing else is green', async () => {
    const report = await runClientConformance({ client: smallClient({ prefix: 'Bearer ' }) });
    expect(withOutcome(report, 'fail', 'warn')).toEqual(['client.token-as-received']);
    expect(report.verdict).toBe('non-conformant');
    expect(report.error).toContain('could not read one address, so nothing else was tried');
    const [check] = report.requirements.find(({ id }) => id === 'client.token-as-received')?.checks ?? [];
    expect(check?.exchanges.length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(check?.exchanges)).not.toContain('Basic MT');
    expect(report.requirements.find(({ id }) => id === 'client.renews-token')).toMatchObject({ outcome: 'untested' });
  });

  test('and that never logs in is told so', async () => {
    const report = await runClientConformance({ client: () => ({ read: async ({ url }) => ({ status: (await fetch(url)).status }) }) });
    expect(withOutcome(report, 'fail', 'warn')).toEqual(['client.nonce-with-credentials']);
    expect(exitCode(report)).toBe(1);
  });

  test('and that sends nothing has no verdict', async () => {
    const report = await runClientConformance({ client: () => ({ read: async () => ({ status: 200 }) }) });
    expect(report.error).toBe('The client sent no request to the service that it was given the base URL of.');
    expect(new Set(report.requirements.map(({ outcome }) => outcome))).toEqual(new Set(['untested']));
    expect(exitCode(report)).toBe(3);
  });
});

describe('the scenarios', () => {
  test('have ids of their own', () => {
    expect(new Set(scenarios.map(({ id }) => id)).size).toBe(scenarios.length);
  });

  test('come to every row, and to no other', () => {
    const rows = [...clientCatalogue.requirements, ...clientCatalogue.open].map(({ id }) => id);
    expect(new Set(scenarios.flatMap((each) => each.rows))).toEqual(new Set(rows));
  });

  test('name every variant of the reference server that a proxy can stand before', async () => {
    const { variants } = await import('../../../fixtures/index.js');
    const named = new Set(scenarios.flatMap(({ service }) => service.variants ?? []));
    // These look at the host that a request names, which is that of the proxy.
    const cannot = ['misdirected', 'foreign-host-refused', 'foreign-authority-refused'];
    expect(variants.map(({ id }) => id).filter((id) => !named.has(id))).toEqual(cannot);
  });
});

describe('options', () => {
  const client = smallClient();
  test.each<[string, object, string]>([
    ['none of the three', {}, 'exactly one of client, command and driver is expected'],
    ['two of the three', { client, command: ['true'] }, 'exactly one of client, command and driver is expected'],
    ['a command without words', { command: [] }, 'the words that start the client are expected'],
    ['a row of servers', { client, only: ['challenge.status'] }, '"challenge.status" selects no requirement'],
    ['a name that is wrong', { client, job: 1 }, 'there is no such option'],
    [
      'a baseline of servers',
      { client, baseline: [{ requirement: 'challenge.body', reason: 'x' }] },
      'there is no requirement "challenge.body"',
    ],
  ])('%s is refused', async (_, options, message) => {
    await expect(runClientConformance(options)).rejects.toThrow(message);
  });
});
