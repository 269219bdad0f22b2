import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'ctrf';
import { describe, expect, test, vi } from 'vitest';
import { needs } from '../../../fixtures/test/needs.js';
import { scratchFile } from '../../../spec/test/scratch.js';
import { calling } from '../../cli/test/calling.js';
import { expectSound, looks, useBrowser } from '../../report/test/browser.js';
import { judgesApart } from '../apart.js';
import { defaults, env, fleet, fleetFile, folder, serve, silent } from './serving.js';

const chromium = needs('chromium');

test('links in the folder of a run lead to nothing that is changed outside of it', async () => {
  for (const name of ['outside', 'linked/file']) mkdirSync(join(folder, name), { recursive: true });
  const outside = ['report.json', 'badge.json', 'fleet.json'].map((name) => join(folder, 'outside', name));
  for (const each of outside) writeFileSync(each, 'mine');
  writeFileSync(join(folder, 'linked', 'fleet.json'), '{"services": [{"name": "earlier"}]}');
  for (const name of ['earlier', 'folder']) symlinkSync(join(folder, 'outside'), join(folder, 'linked', name));
  symlinkSync(outside[0] as string, join(folder, 'linked', 'file', 'report.json'));
  const url = 'http://127.0.0.1:1/api';
  const { code, text } = await fleet(fleetFile(['earlier', 'folder', 'file'].map((name) => ({ name, url }))), 'linked');
  expect([code, ...outside.map((each) => readFileSync(each, 'utf8'))]).toEqual([3, 'mine', 'mine', 'mine']);
  for (const name of ['earlier', 'folder', 'file']) expect(text(`${name}/report.json`)).toContain('"verdict": "error"');
});

test('a judge that was killed while it had nothing to do is replaced', async () => {
  const judges = judgesApart(2);
  const service = { name: 'a', url: 'http://127.0.0.1:1/api', tags: [], deadline: '1m', options: {} };
  const following = { signal: new AbortController().signal, onProgress() {} };
  const judged = async () => (await judges.judge(service, { folder, env, seed: 7 }, following)).error;
  const error = await judged();
  const idle = Number(execFileSync('pgrep', ['-P', `${process.pid}`, '-f', 'judging']));
  process.kill(idle, 'SIGKILL');
  await vi.waitFor(() => expect(() => process.kill(idle, 0)).toThrow('ESRCH'));
  expect(await judged()).toBe(error);
  judges.end();
});

test('every service gets a report, and one that fails, hangs or is not there ends nothing else', async () => {
  mkdirSync(join(folder, 'run', 'gone-since'), { recursive: true });
  writeFileSync(join(folder, 'run', 'fleet.json'), '{"services": [{"name": "gone-since"}, {"name": "../run"}]}');
  for (const file of ['gone-since/report.json', 'mine.txt']) writeFileSync(join(folder, 'run', file), '');
  const file = fleetFile([
    { name: 'silent', url: await silent(), deadline: '1s' },
    { name: 'good', url: await serve(), tags: ['a'] },
    { name: 'bad', url: await serve('challenge-other-text'), tags: ['a', 'b'] },
    { name: 'missing', url: 'http://127.0.0.1:1/api' },
  ]);
  const { code, out, err, text } = await fleet(file, 'run', '--jobs', '2');
  expect([code, err]).toEqual([1, '']);
  expect(out).toMatch(/^Not conformant {2}bad {6}[\d.]+ m?s {2}1 MUST requirement is violated/m);
  expect(out).toMatch(/^Conformant in part {2}good .* requirements were left out of the run\.$/m);
  expect(text('good/badge.json')).toContain('"conformant in part"');
  expect(out).toMatch(/^No verdict {6}silent .*The deadline of 1s passed\.$/m);
  expect(out).toContain('4 services: 1 conformant in part, 1 not conformant, 2 no verdict. Exit code 1 because of bad.');
  const { services, ...run } = JSON.parse(text('fleet.json'));
  expect(Object.keys(run)).toEqual(['kit', 'spec', 'catalogue', 'seed', 'startedAt']);
  expect(
    services.map(({ name, verdict, exitCode, failed, tags }: Record<string, unknown>) => [name, verdict, exitCode, failed, tags]),
  ).toEqual([
    ['bad', 'non-conformant', 1, ['challenge.body'], ['a', 'b']],
    ['good', 'conformant', 0, [], ['a']],
    ['missing', 'error', 3, [], []],
    ['silent', 'error', 3, [], []],
  ]);
  for (const { report } of services) expect(JSON.parse(text(report)).kit.seed).toBe(7);
  expect(JSON.parse(text('bad/badge.json'))).toEqual({ schemaVersion: 1, label: 'hydrauth', message: 'not conformant', color: 'red' });
  expect(text('junit.xml')).toMatch(/<testsuite name="bad" tests="\d+" failures="1" errors="0"/);
  const ctrf = JSON.parse(text('ctrf.json'));
  expect(validate(ctrf).errors ?? []).toEqual([]);
  const { summary, tests } = ctrf.results;
  expect([summary.tests, summary.passed, summary.failed, summary.suites]).toEqual([tests.length, 5, 3, 4]);
  expect(text('fleet.md')).toMatch(/^\| bad \| \*\*Not conformant\*\* \| challenge\.body \|/m);
  const files = readdirSync(join(folder, 'run'), { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  for (const each of files) expect(readFileSync(join(each.parentPath, each.name), 'utf8')).not.toMatch(/correct horse|second secret/);
  expect([existsSync(join(folder, 'run', 'gone-since')), existsSync(join(folder, 'run', 'mine.txt'))]).toEqual([false, true]);
});

test('an interruption leaves a whole folder and names what was not judged', async () => {
  const stop = new AbortController();
  const file = fleetFile([
    { name: 'first', url: await silent() },
    { name: 'second', url: await serve() },
  ]);
  const words = ['fleet', file, '--output', join(folder, 'stopped'), '--jobs', '1'];
  const called = calling(words, { env, isTTY: true, signal: stop.signal, onErr: (text) => text.includes('first') && stop.abort() });
  expect(await called).toMatchObject({
    code: 130,
    out: expect.stringMatching(/interrupted before this service was judged(?!.*Exit code)/s),
  });
  expect(JSON.parse(readFileSync(join(folder, 'stopped', 'fleet.json'), 'utf8')).services).toHaveLength(2);
});

test('services are selected by name and tag', async () => {
  const file = fleetFile([
    { name: 'one', url: await serve(), tags: ['x'] },
    { name: 'two', url: await serve() },
  ]);
  const { code, out } = await fleet(file, 'selected', '--only', 'x');
  expect([code, out.includes('one'), out.includes('two')]).toEqual([0, true, false]);
  expect(await fleet(file, 'selected', '--only', 'tow')).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean two?') });
});

const rest = 'collections: [x], users: ["1:x"]';
test.each([
  ['{ name: a, url: http://a, colections: [x] }', /line 2, services\[0\]\.colections: there is no such key\. Did you mean collections\?/],
  [
    '{ name: a, url: http://a }\n  - name: b\n    url: http://b\n    rate: 0',
    /line 5, services\[1\]\.rate: not allowed; a whole number from 1 to \d+ is\. The most requests/,
  ],
  ['{ name: a, url: http://a, auth: maybe }', /line 2, services\[0\]\.auth: not allowed; on or off is/],
  ['{ name: ../a, url: http://a }', /line 2, services\[0\]\.name: not allowed\. Letters, digits/],
  ['{ name: index.html, url: http://a }', /services\[0\]\.name: not allowed/],
  ['{ name: a, url: http://a }\n  - { name: A, url: http://b }', /line 3, services\[1\]\.name: services\[0\] has this name, too/],
  [
    `{ name: a, url: http://a, ${rest.replace('"1:x"', '{ env: NO }')} }`,
    /line 2, services\[0\]\.users: the environment variable NO is not set/,
  ],
  [
    '{ name: a, url: http://a, users: [3] }',
    /line 2, services\[0\]\.users\[0\]: not allowed; a text, \{ env: NAME \} or \{ file: PATH \} is/,
  ],
  ['{ url: http://a }', /line 2, services\[0\]: the key name is missing/],
  ['{ name: a, url: http://a, collections: x }', /line 2, services\[0\]\.collections: not allowed; a list is/],
  [
    `{ name: a, url: http://a, ${rest.replace('"1:x"', '{ env: constructor }')} }`,
    /services\[0\]\.users: the environment variable constructor is not set/,
  ],
  [`{ name: a, url: a, ${rest} }`, /line 2, services\[0\]\.url: "a" is no URL/],
  ['{ name: a, url: http://a, deadline: soon }', /services\[0\]\.deadline: not allowed\. When to end/],
  [`{ name: a, url: http://a, ${rest}, baseline: no.json }`, /line 2, services\[0\]\.name: .*no\.json.*ENOENT/],
  ['{ name: "1:hidden', /line 3: not YAML or JSON/],
  [`{ name: a, tags: ${'['.repeat(5000)}${']'.repeat(5000)} }`, /line 2: not YAML or JSON/],
  [`{ name: a, url: http://a, tags: [${'"[",'.repeat(300)}], ${rest}, deadline: soon }`, /services\[0\]\.deadline: not allowed/],
  [`{ ${Array.from({ length: 80_000 }, (_, at) => `k${at}: 1`)} }`, /cannot be read \(it takes longer than 5 s\)/],
  [`# ${'-'.repeat(2 ** 20)}`, /cannot be read \(it is larger than 1 MB\)/],
  [`${'? - '.repeat(20)}x`, /line 2: not YAML or JSON/],
  ['*none', /an alias \(\*name\) has no anchor/],
])('mistake %# is told with its line, and nothing is written', async (services, message) => {
  const file = scratchFile('wrong.yaml', `services:\n  - ${services}\n`);
  const { code, err } = await calling(['fleet', file, '--output', join(folder, 'never')], { env });
  expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  expect([/hidden|^\s+at /m.test(err), existsSync(join(folder, 'never'))]).toEqual([false, false]);
});

test('defaults are told with their own line, and a folder that cannot be written', async () => {
  const file = fleetFile([{ name: 'a', url: 'http://a' }], 'defaults.json', { ...defaults, users: [{ file: 'no.txt' }] });
  expect(await fleet(file, 'never')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/line 6, defaults\.users: no\.txt cannot be read \(ENOENT\) \(service a\)/),
  });
  writeFileSync(join(folder, 'a-file'), '');
  const good = fleetFile([{ name: 'a', url: 'http://127.0.0.1:1' }]);
  for (const [output, why] of [
    ['a-file', 'cannot be written (EEXIST)'],
    ['', `would overwrite ${good}`],
    [`${'../'.repeat(20)}proc/x/y`, 'cannot be written (ENOENT)'],
  ] as const)
    expect(await fleet(good, output)).toMatchObject({ code: 2, err: expect.stringContaining(why) });
  expect(existsSync(good)).toBe(true);
  expect(await calling(['fleet', good])).toMatchObject({ code: 2, err: expect.stringContaining('--output is missing') });
});

describe.skipIf(chromium.skip)(`the page${chromium.note}`, () => {
  const open = useBrowser(chromium.path);
  test.each(looks)('can be read and filtered %s', async (_, look) => {
    const { page, trouble } = await open(readFileSync(join(folder, 'run', 'index.html'), 'utf8'), look);
    await expectSound(page);
    const shown = () => page.locator('tbody tr:visible').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-name')));
    expect(await shown()).toEqual(['bad', 'missing', 'silent', 'good']);
    await page.selectOption('#tag', 'a');
    expect(await shown()).toEqual(['bad', 'good']);
    await page.selectOption('#state', 'conformant');
    expect(await shown()).toEqual(['good']);
    expect(trouble).toEqual([]);
  });
});
