import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { listening } from '../../../fixtures/hostile/listen.js';
import { defaultUsers, type ReferenceServerOptions } from '../../../reference-server/index.js';
import { calling } from '../../cli/test/calling.js';
import { atTheEnd, checking, failedOf, failuresOf, judged, serving, stackTrace, type Wrong, withOutcome } from './judging.js';
import { crowdsForbidden, failsNewman, warmingUp } from './services.js';

const env = { HYDRAUTH_USERS: defaultUsers.map(({ id, paraphrase }) => `${id}:${paraphrase}`).join('\n') };

test.each<[Wrong, string[]]>([
  ['token-refused-with-head', ['token.sufficient']],
  ['expires-a-third-late', ['expiry.refused-after']],
  ['expired-token-ends-young-ones', ['protection.history']],
])('the replay of a true failure fails again: %s', async (wrong, violated) => {
  const server = await serving([wrong], { clock: 'manual' });
  const clock = ['--clock', String(server.clockUrl)];
  const { code, file, report } = await checking(server.url, [...clock, '--only', ...violated]);
  expect([code, failedOf(report)]).toEqual([1, violated]);
  const again = await calling(['replay', file, ...clock], { env });
  expect(again.code).toBe(1);
  expect(again.out).toMatch(/Replayed [1-9][0-9]*: [1-9][0-9]* failed again, 0 passed, 0 untested/);
});

test('the script of a token that is not unique asks for a fresh challenge wherever it needs a nonce, and shows the failure', async () => {
  const server = await serving(['token-of-the-user']);
  const { report } = await checking(server.url, ['--only', 'exchange.token-unique']);
  for (const { curl } of failuresOf(report, 'exchange.token-unique')) {
    const script = curl ?? '';
    // No nonce stands in it as it was.
    expect(script).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i);
    const { stdout } = await promisify(execFile)('sh', ['-c', script], {
      env: { ...process.env, PARAPHRASE_1: defaultUsers[0]?.paraphrase, PARAPHRASE_2: defaultUsers[1]?.paraphrase },
    });
    const given = [...stdout.matchAll(/^x-authorization: (\S+)/gim)].map(([, token]) => token);
    expect(given.length).toBeGreaterThan(1);
    expect(new Set(given).size).toBeLessThan(given.length);
  }
});

describe('a wrong call is told as one, with its likely cause', () => {
  test.each<[string, ReferenceServerOptions, (url: string) => string, string[], RegExp]>([
    ['a misspelt collection', {}, (url) => url, ['--collection', 'boks'], /There is no collection boks at .*Check the name/],
    ['a collection too many', {}, (url) => url, ['--collection', 'books', 'boks'], /There is no collection boks at /],
    [
      'a wrong base path',
      {},
      (url) => url.replace('/api', '/apo'),
      [],
      /There is no collection books, people at .*\/apo.*Check the name, and the base URL/,
    ],
    ['authentication switched off', { auth: 'off' }, (url) => url, [], /Authentication seems to be switched off.*--auth off/],
    ['tokens switched off', { tokens: 'off' }, (url) => url, [], /token-based authorization seems to be switched off/],
  ])('%s', async (_, options, urlOf, words, cause) => {
    const server = await serving([], options);
    const { code, out, err, report } = await checking(urlOf(server.url), words);
    expect(report.error).toMatch(cause);
    expect(out.replace(/\s+/g, ' ')).toMatch(cause);
    expect(code).toBe(3);
    expect(failedOf(report)).toEqual([]);
    expect(out + err).not.toMatch(stackTrace);
  });

  const inFront =
    /\/api answers \d+ to everything, with and without credentials, and nothing in its answers is of this protocol\. .*--header/;
  test.each<[string, number, Record<string, string>, string, RegExp | undefined]>([
    ['an address where nothing is', 404, {}, '', /There is nothing at .*Check the base URL and the names of the collections/],
    ['a gateway that lets nobody through', 403, { 'Content-Type': 'application/json' }, '{"message":"Forbidden"}', inFront],
    ['a gateway that asks for a key', 401, { 'WWW-Authenticate': 'Bearer' }, '<html>', inFront],
    ['a login page', 200, { 'Content-Type': 'text/html' }, '<form>', inFront],
    ['a redirect to a login page', 302, { Location: 'https://login.example/' }, '', inFront],
    ['but not a challenge without a nonce', 401, { 'WWW-Authenticate': 'Basic realm="API"' }, '<html>', undefined],
    ['but not a body of the protocol', 403, { 'Content-Type': 'text/plain' }, '{"403": "Forbidden"}', undefined],
    ['but not JSON-LD', 403, { 'Content-Type': 'application/ld+json' }, '', undefined],
    ['but not an empty nonce', 403, { 'X-Authentication': '' }, '', undefined],
    ['but not a redirect to the same address with a slash', 301, { Location: 'books/' }, '', undefined],
    ['but not a service that always fails', 500, {}, '', undefined],
  ])('%s', async (_, status, headers, body, cause) => {
    const { url, close } = await listening(createServer((_, response) => response.writeHead(status, headers).end(body)));
    atTheEnd(close);
    const { code, report } = await checking(url, ['--only', 'challenge', '--collection', 'books']);
    expect(report.error ?? '').toMatch(cause ?? /^$/);
    expect([code, failedOf(report).includes('challenge.nonce')]).toEqual(cause === undefined ? [1, true] : [3, false]);
  });

  test('users who are all wrong', async () => {
    const server = await serving();
    const { code, report } = await checking(server.url, [], [{ id: 1, paraphrase: 'of somebody else' }]);
    expect(report.error).toContain('No given user can log in: user 1 got 401');
    expect(code).toBe(3);
    expect(failedOf(report)).toEqual([]);
  });
});

test.each<[string, Wrong, string]>([
  ['is waited for', warmingUp(8), 'conformant'],
  ['is waited for as long as it says', warmingUp(8, '0'), 'conformant'],
  ['and does not come is told as such', warmingUp(1e9), 'error'],
])('a service that has just been started %s', async (_, wrong, verdict) => {
  const report = await judged([wrong], { only: ['challenge', 'exchange.status'], budget: 400 });
  expect([report.verdict, failedOf(report)]).toEqual([verdict, []]);
  expect(report.error ?? '').toMatch(verdict === 'error' ? /answers 503, 10 times in a row\. .*is not ready/ : /^$/);
});

test('what failed in the collection beside the laws is tried once more alone', async () => {
  const report = await judged([failsNewman(1)], { engine: 'all', only: ['challenge'] });
  expect([failedOf(report), withOutcome(report, 'flaky')]).toEqual([[], ['challenge.status']]);
});

test('a gateway that refuses a crowd with 403 is not said to discard nonces', async () => {
  const { remarks } = await judged([crowdsForbidden], { only: ['challenge.status'] });
  expect(remarks.join(' ')).not.toContain('discards a nonce');
  expect(remarks.join(' ')).toContain('Logins were refused while many requests came close together');
});
