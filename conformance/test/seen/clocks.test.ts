import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { needs } from '../../../fixtures/test/needs.js';
import type { ManualClock } from '../../../reference-server/index.js';
import { scratch } from '../../../spec/test/scratch.js';
import { calling } from '../../cli/test/calling.js';
import { checking, failedOf, serving } from './judging.js';

/** What a wrong clock ends in: the call is told of, and nothing of the service. */
async function callWith(clock: string) {
  const { code, out, report } = await checking((await serving()).url, ['--clock', clock]);
  expect(code).toBe(3);
  expect(report.verdict).toBe('error');
  expect(failedOf(report)).toEqual([]);
  expect(out).toContain(report.error);
  return report.error;
}

describe('a clock that cannot be relied on is an error of the call', () => {
  test('a command that fails', async () => {
    expect(await callWith('exec:false')).toBe("The clock failed: The clock's command ended with exit code 1.");
  });

  test('a command that does nothing', async () => {
    expect(await callWith('exec:true')).toMatch(/^The clock \(a command\) was moved, but the server did not follow/);
  });

  test('a faketime file that nobody reads', async () => {
    const file = join(scratch(), 'faketime');
    writeFileSync(file, '+0\n');
    expect(await callWith(`faketime:${file}`)).toMatch(/was moved, but the server did not follow.*FAKETIME_TIMESTAMP_FILE/);
  });

  test('an address where nothing listens, or that asks for credentials', async () => {
    expect(await callWith('http://127.0.0.1:1/')).toMatch(
      /^The clock failed: The clock at http:\/\/127\.0\.0\.1:1\/ gave no answer\. Nothing/,
    );
    expect(await callWith((await serving()).url)).toMatch(/^The clock failed: .* was answered with status 401 instead of 200\.$/);
  });

  test('a file that cannot be written', async () => {
    expect(await callWith(`faketime:${join(scratch(), 'no', 'such', 'folder')}`)).toMatch(
      /^The clock failed: .* cannot be written \(ENOENT\)/,
    );
  });

  test('but one that is none makes the call wrong', async () => {
    const { code, err } = await calling(['check', (await serving()).url, '--collection', 'books', '--user', '1:x', '--clock', 'sundial']);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('"sundial" is no clock; none, wait, faketime:FILE, exec:COMMAND or an http(s) URL is allowed'),
    ]);
  });
});

test('a clock that moves is believed, and expiry is tested', async () => {
  const server = await serving([], { clock: 'manual' });
  const { code, report } = await checking(server.url, ['--clock', String(server.clockUrl), '--only', 'expiry']);
  expect(code).toBe(0);
  expect(report.requirements.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
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
