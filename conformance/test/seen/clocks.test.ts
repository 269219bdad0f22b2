import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../../../fixtures/test/needs.js';
import type { ManualClock } from '../../../reference-server/index.js';
import { scratch, scratchFile } from '../../../spec/test/scratch.js';
import { checking, failedOf, serving, withOutcome } from './judging.js';

const folder = scratch();
const unread = scratchFile('faketime', '+0\n', folder);

test.each<[string, string, RegExp]>([
  ['a command that fails', 'exec:false', /^The clock failed: The clock's command ended with exit code 1\.$/],
  ['a command that does nothing', 'exec:true', /^The clock \(a command\) was moved, but the server did not follow/],
  ['a faketime file that nobody reads', `faketime:${unread}`, /was moved, but the server did not follow.*FAKETIME_TIMESTAMP_FILE/],
  [
    'an address where nothing listens',
    'http://127.0.0.1:1/',
    /^The clock failed: The clock at http:\/\/127\.0\.0\.1:1\/ gave no answer\. Nothing/,
  ],
  ['an address that asks for credentials', '', /^The clock failed: .* was answered with status 401 instead of 200\.$/],
  ['a file that cannot be written', `faketime:${join(folder, 'no', 'such')}`, /^The clock failed: .* cannot be written \(ENOENT\)/],
])('%s is an error of the call, and says nothing of the service', async (_, clock, error) => {
  const { url } = await serving();
  const { code, out, report } = await checking(url, ['--clock', clock || url]);
  expect([code, report.verdict, failedOf(report)]).toEqual([3, 'error', []]);
  expect(report.error).toMatch(error);
  expect(out).toContain(report.error);
});

test('what has nothing to do with time is told although nobody follows the clock', async () => {
  const { url } = await serving(['link-missing-on-exchange', 'expires-never']);
  const { code, report } = await checking(url, ['--clock', 'exec:true', '--only', 'headers.link', 'expiry']);
  expect([code, report.verdict, failedOf(report)]).toEqual([1, 'non-conformant', ['headers.link']]);
  expect(report.error).toMatch(/the server did not follow/);
  expect(withOutcome(report, 'pass').filter((id) => id.startsWith('expiry'))).toEqual([]);
});

/** A command that moves the clock of a server, and cannot tell whether that follows. */
const curl = needs('curl');
const commandFor = (url: unknown) => `exec:sh -c 'curl -s -H content-type:application/json -d "{\\"advanceMs\\": $0}" ${url}'`;

test.skipIf(curl.skip).each([
  ['a nonce ends, tokens that never do are told', ['expires-never'], ['expiry.refused-after'], 'fail'],
  ['tokens end too late, and nonces hardly ever', ['expires-a-third-late', 'nonce-long-lived'], ['expiry.refused-after'], 'fail'],
  [
    'nothing ends, although the Date moves, expiry is untested: ages may be measured otherwise',
    ['expires-never', 'nonce-long-lived'],
    [],
    'untested',
  ],
] as const)('where %s', async (_, wrong, failed, outcome) => {
  const server = await serving(wrong, { clock: 'manual' });
  const { report, code } = await checking(server.url, [
    '--clock',
    commandFor(server.clockUrl),
    '--only',
    'expiry.refused-after',
    'token.sufficient',
  ]);
  expect(failedOf(report)).toEqual(failed);
  const row = report.requirements.find(({ id }) => id === 'expiry.refused-after');
  expect([row?.outcome, code]).toEqual([outcome, outcome === 'fail' ? 1 : 3]);
  if (outcome === 'untested')
    expect(row?.reason).toMatch(
      /^The Date of the target followed the clock \(a command\), but no token and no nonce expired\. .*monotonic clock/,
    );
});

test.each([
  ['in the middle of the plain part', 60, ['--only', 'exchange', 'token']],
  ['in the middle of the expiry part', 150, ['--only', 'expiry']],
] as const)('what something else moves %s accuses nobody, and ends without a verdict', async (_when, nth, only) => {
  const server = await serving([], { clock: 'manual' });
  let answers = 0;
  server.hapi.events.on('response', () => {
    answers += 1;
    if (answers % nth === 0) (server.clock as ManualClock).advance({ minutes: 46 });
  });
  const { code, report } = await checking(server.url, ['--clock', String(server.clockUrl), ...only]);
  expect(failedOf(report)).toEqual([]);
  expect(report.error).toMatch(/^The clock failed: Something else moves the clock at .*, too: .* One clock serves one run at a time\.$/);
  expect(code).toBe(3);
  const passed = report.requirements.filter(({ id, outcome }) => id.startsWith('expiry') && outcome === 'pass');
  expect([passed, report.observations.filter(({ answer }) => answer !== 'not observed')]).toEqual([[], []]);
});
