import { describe, expect, test } from 'vitest';
import { brokenClients, conformantClients } from '../../../fixtures/clients/index.js';
import { variants } from '../../../fixtures/index.js';
import { spec } from '../../../spec/index.js';
import { exitCode, type Report } from '../../report/index.js';
import { type Connect, runClientConformance } from '../index.js';
import { scenarios } from '../scenarios.js';

const { clientCatalogue } = spec;

const withOutcome = ({ requirements }: Report, ...outcomes: string[]) =>
  requirements.filter(({ outcome }) => outcomes.includes(outcome)).map(({ id }) => id);

const clientNamed = (id: string): Connect =>
  [...brokenClients, ...conformantClients].find((each) => each.id === id)?.connect ?? expect.fail(`no client ${id}`);

// What each broken client is told, and that it is told nothing else, is seen in fixtures/clients/test.
test('a client that does everything right passes all that can be seen of it, and its choices are observed', {
  timeout: 60_000,
}, async () => {
  const client: Connect = (service) => {
    service.print('begins');
    return clientNamed('small')(service);
  };
  const report = await runClientConformance({ client, name: 'a small client' });
  expect(withOutcome(report, 'fail', 'warn', 'untested')).toEqual([]);
  expect(report.requirements.map(({ id }) => id)).toEqual(clientCatalogue.requirements.map(({ id }) => id));
  expect(report.verdict).toBe('conformant');
  expect(exitCode(report, { strict: true })).toBe(0);
  expect(report.target).toMatchObject({ url: 'client:a%20small%20client', client: { way: 'function', name: 'a small client' } });
  expect(Object.fromEntries(report.observations.map(({ id, answer }) => [id, answer]))).toEqual({
    'client.shared-login': 'yes',
    'client.newer-token': 'no',
    'client.own-clock': 'no, it waits for the refusal',
    'client.login-again': 'yes',
    'client.other-refusal': 'no',
    'client.redirects': 'yes, with its token',
  });
});

describe('a client that cannot read one address', () => {
  test('is asked nothing else, and nothing else is green', async () => {
    const report = await runClientConformance({ client: clientNamed('token-as-bearer') });
    expect(withOutcome(report, 'fail', 'warn')).toEqual(['client.token-as-received']);
    expect(report.verdict).toBe('non-conformant');
    expect(report.error).toContain('could not read one address, so nothing else was tried');
    const [check] = report.requirements.find(({ id }) => id === 'client.token-as-received')?.checks ?? [];
    expect(check?.exchanges.length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(check?.exchanges)).not.toContain('Basic MT');
    expect(report.requirements.find(({ id }) => id === 'client.renews-token')).toMatchObject({ outcome: 'untested' });
  });

  test('because it never logs in is told so', async () => {
    const report = await runClientConformance({ client: () => ({ read: async ({ url }) => ({ status: (await fetch(url)).status }) }) });
    expect([withOutcome(report, 'fail', 'warn'), exitCode(report)]).toEqual([['client.nonce-with-credentials'], 1]);
    expect(report.error).toContain('The client could not read one address');
  });
});

test('of many variants that a client does not work with, three are named and the others counted', { timeout: 60_000 }, async () => {
  const client: Connect = (service) => {
    const { read } = clientNamed('small')(service);
    const known: string[] = [];
    // Reads one address, and says so of every other.
    return {
      read: async (request) => (known.push(request.url) > 1 && new Set(known).size > 1 ? { status: 200 } : read(request)),
    };
  };
  const report = await runClientConformance({ client, only: ['client.other-services'] });
  const { checks = [] } = report.requirements.find(({ id }) => id === 'client.other-services') ?? {};
  const failed = checks.filter(({ outcome }) => outcome === 'fail');
  expect(failed).toHaveLength(3);
  expect(failed[0]?.message).toMatch(/^The service is the variant \S+ The same in \d+ more scenarios that are not listed\.$/);
  expect(failed[0]?.rate?.failed).toBeGreaterThan(50);
});

test('a client that never opens an address of another origin shows nothing of what it would send there', async () => {
  const report = await runClientConformance({
    client: clientNamed('own-origin-only'),
    only: ['client.link-secrets', 'client.redirect-secrets'],
  });
  expect(withOutcome(report, 'untested')).toEqual(['client.link-secrets']);
  expect([report.verdict, report.error]).toEqual(['incomplete', expect.stringContaining('1 of 2 MUST requirements stayed untested')]);
});

describe('the scenarios', () => {
  test('have ids of their own, and come to every row and to no other', () => {
    expect(new Set(scenarios.map(({ id }) => id)).size).toBe(scenarios.length);
    const known = [...clientCatalogue.requirements, ...clientCatalogue.open].map(({ id }) => id);
    expect(new Set(scenarios.flatMap(({ rows }) => rows))).toEqual(new Set(known));
    const named = scenarios.flatMap(({ leavesOut = [], buildsOn = [], credentialsRow = [] }) =>
      [leavesOut, buildsOn, credentialsRow].flat(),
    );
    expect(named.filter((row) => !known.includes(row))).toEqual([]);
  });

  test('name every variant of the reference server that a proxy can stand before', () => {
    const named = new Set(scenarios.flatMap(({ service }) => service?.variants ?? []));
    // A client need not doubt a nonce, nor send requests ahead of others or on conditions. The others look at the host, which is that of the proxy.
    const ofClients = ['refusals-with-useless-nonces', 'newest-nonce', 'logins-meet-preconditions'];
    const cannot = [...ofClients, 'misdirected', 'foreign-authority-refused', 'other-host-empty-200'];
    const known = variants.map(({ id }) => id);
    expect(known.filter((id) => !named.has(id))).toEqual(cannot);
    expect([...named].filter((id) => !known.includes(id))).toEqual([]);
  });
});

test.each<[string, object, string]>([
  ['none of the three', { client: undefined }, 'exactly one of client, command and driver is expected'],
  ['two of the three', { command: ['true'] }, 'exactly one of client, command and driver is expected'],
  ['a command without words', { client: undefined, command: [] }, 'the words that start the client are expected'],
  ['a row of servers', { only: ['challenge.status'] }, '"challenge.status" matches no requirement'],
  ['a name that is wrong', { job: 1 }, 'there is no such option'],
  ['a baseline of servers', { baseline: [{ requirement: 'challenge.body', reason: 'x' }] }, 'there is no requirement "challenge.body"'],
])('%s is refused', async (_, options, message) => {
  await expect(runClientConformance({ client: clientNamed('small'), ...options })).rejects.toThrow(message);
});
