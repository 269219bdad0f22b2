import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { startReferenceServer } from '../../fixtures/reference-server.js';
import { packageFile } from '../../spec/index.js';
import { type Acted, act, checkOut, fakeNpm } from './acting.js';

const action = checkOut();
/** The lines that a runner shows as annotations. It reads no commands in what hydrauth prints, which quotes the target. */
function annotations({ text }: Acted): string[] {
  const [, resume] = /^::stop-commands::(.+)$/m.exec(text) ?? [];
  const [before = '', after = ''] = text.split(`\n::${resume}::\n`);
  expect(before.split('\n')[0]).toBe(`::stop-commands::${resume}`);
  return after.split('\n').filter((line) => line.startsWith('::'));
}

const paraphrase = 'whispered "quoted" $(HOME) `secret`';
const reference = { clock: 'manual', users: [{ id: 1, paraphrase }], collections: ['people', 'books'] } as const;
const config = join(action, 'quick.json');
writeFileSync(config, JSON.stringify({ engine: 'laws', runs: 1, seed: 1, only: ['challenge', 'expiry.refused-after', 'token'] }));

describe('the action judges a server', () => {
  test('that is good: ends with 0, writes the summary and every report, and tells no secret', async () => {
    await using server = await startReferenceServer(reference);
    const acted = await act(action, {
      target: server.url,
      collections: 'people\n  books\n',
      users: `1:${paraphrase}\n`,
      clock: server.clockUrl as string,
      strict: 'true',
      config,
      version: 'local',
    });
    expect(acted).toMatchObject({ code: 0, outputs: { 'exit-code': '0' } });
    const reports = acted.outputs['reports'] as string;
    expect(readdirSync(reports).sort()).toEqual(['earl.jsonld', 'report.html', 'report.json', 'report.md', 'report.xml']);
    expect(acted.summary).toBe(readFileSync(join(reports, 'report.md'), 'utf8'));
    const { target, requirements } = JSON.parse(readFileSync(join(reports, 'report.json'), 'utf8'));
    expect(target).toMatchObject({ url: server.url, collections: ['people', 'books'], users: ['1'], clock: 'http' });
    expect(requirements.find(({ id }: { id: string }) => id === 'expiry.refused-after').outcome).toBe('pass');
    const written = readdirSync(reports).map((file) => readFileSync(join(reports, file), 'utf8'));
    expect([acted.text, ...written].filter((text) => text.includes('whispered'))).toEqual([]);
  });

  test('that is broken: ends with 1 and says what is violated, unless the baseline knows it', async () => {
    await using server = await startReferenceServer({ ...reference, faults: ['challenge-other-text', 'unknown-token-without-realm'] });
    const inputs = { target: server.url, collections: 'people', users: `1:${paraphrase}`, config, version: 'local' };
    const failed = await act(action, inputs);
    expect(failed).toMatchObject({ code: 1, outputs: { 'exit-code': '1' } });
    expect(failed.summary).toMatch(/^#+ .*Not conformant[\s\S]*challenge\.body/);
    expect(annotations(failed)).toEqual([
      expect.stringMatching(
        /^::error title=hydrauth challenge\.body::The challenge body is .*%0AExpected: \{"401":.*%0AActual: .*authenticate\."\}$/,
      ),
      expect.stringMatching(/^::warning title=hydrauth token\.refusal-like-challenge::.*%0AExpected: .*%0AActual: /),
    ]);

    const baseline = join(action, 'known "failures" $(x).json');
    writeFileSync(baseline, JSON.stringify([{ requirement: 'challenge.body', reason: 'Mended next week.' }]));
    const known = await act(action, { ...inputs, baseline });
    expect(known.code).toBe(0);
    expect(annotations(known)).toEqual([expect.stringMatching(/^::warning title=hydrauth token\.refusal-like-challenge::/)]);

    await using mended = await startReferenceServer(reference);
    const stale = await act(action, { ...inputs, target: mended.url, baseline });
    expect(stale.code).toBe(1);
    expect(annotations(stale)).toEqual([
      `::error title=hydrauth challenge.body,file=${baseline}::It passes now. Remove its entry from the baseline.`,
    ]);
  });

  test('that is not there: ends with 3', async () => {
    const acted = await act(action, { target: 'http://127.0.0.1:1/api', collections: 'people', users: '1:x', version: 'local' });
    expect(acted).toMatchObject({ code: 3, outputs: { 'exit-code': '3' } });
    const sentence = 'The target cannot be judged. Nothing listens at 127.0.0.1:1: the connection was refused.';
    expect(annotations(acted)).toEqual([`::error title=hydrauth::${sentence}`]);
    expect(acted.summary).toContain(sentence);
  });
});

describe('the inputs', () => {
  beforeEach(() => fakeNpm(action, ''));
  const hostile = 'a"b\'c; touch pwned; $(touch pwned) `touch pwned` $HOME && touch pwned\ntouch pwned #';

  test('reach the command as single arguments, and nothing in them is executed', async () => {
    const acted = await act(action, {
      target: `http://127.0.0.1:1/${hostile}`,
      collections: 'people "$(touch\tpwned)"\n--insecure',
      users: `1:${hostile}`,
      clock: `exec:${hostile}`,
      baseline: hostile,
      config: `--${hostile}`,
      version: '1.2.3',
    });
    expect(acted.code).toBe(0);
    const { args, env } = JSON.parse(readFileSync(join(acted.folder, 'call.json'), 'utf8'));
    const reports = acted.outputs['reports'];
    expect(args).toEqual([
      ...['--yes', '--ignore-scripts', '--package', 'hydrauth@1.2.3', '--', 'hydrauth', 'check'],
      ...['--collection=people', '--collection="$(touch', '--collection=pwned)"', '--collection=--insecure'],
      ...[`--clock=exec:${hostile}`, `--baseline=${hostile}`, `--config=--${hostile}`],
      ...[`--json=${reports}/report.json`, `--junit=${reports}/report.xml`, `--html=${reports}/report.html`],
      ...[`--markdown=${reports}/report.md`, `--earl=${reports}/earl.jsonld`, '--', `http://127.0.0.1:1/${hostile}`],
    ]);
    expect(env['HYDRAUTH_USERS']).toBe(`1:${hostile}`);
    expect(Object.keys(env).filter((name) => name.startsWith('HYDRAUTH_ACTION'))).toEqual([]);
    expect(existsSync(join(acted.folder, 'pwned'))).toBe(false);
  });

  test('may have the line ends of Windows', async () => {
    const given = { target: ' http://127.0.0.1:1\r\n', collections: 'people\r\nbooks\r\n', strict: 'true\r\n', clock: 'wait\r\n' };
    const acted = await act(action, { ...given, version: '1.2.3\r\n', users: '1:a b\r\n2:c\r\n' });
    const { args, env } = JSON.parse(readFileSync(join(acted.folder, 'call.json'), 'utf8'));
    expect(args.filter((arg: string) => !arg.includes('report'))).toEqual([
      ...['--yes', '--ignore-scripts', '--package', 'hydrauth@1.2.3', '--', 'hydrauth', 'check'],
      ...['--collection=people', '--collection=books', '--clock=wait', '--strict'],
      ...['--', 'http://127.0.0.1:1'],
    ]);
    expect(env['HYDRAUTH_USERS']).toBe('1:a b\r\n2:c\r\n');
  });

  test('without users leave those of the job', async () => {
    const given = { target: 'http://127.0.0.1:1', collections: 'people', version: '1.2.3' };
    const acted = await act(action, given, { HYDRAUTH_USERS: '1:of the job' });
    expect(JSON.parse(readFileSync(join(acted.folder, 'call.json'), 'utf8')).env['HYDRAUTH_USERS']).toBe('1:of the job');
  });

  test('without a version mean that of the action, from its lock alone and without the users', async () => {
    const acted = await act(action, { target: 'http://127.0.0.1:1', collections: 'people', users: '1:whispered' });
    const [installed, called] = ['install.json', 'call.json'].map((file) => JSON.parse(readFileSync(join(acted.folder, file), 'utf8')));
    const folder = installed.args.at(-1);
    expect(installed.args).toEqual(['ci', '--ignore-scripts', '--prefix', folder]);
    expect(JSON.stringify(installed.env)).not.toContain('whispered');
    expect(called).toMatchObject({ env: { HYDRAUTH_USERS: '1:whispered' }, args: ['check', ...called.args.slice(1)] });
    const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
    const [own, lock] = [packageFile('package-lock.json'), join(folder, 'package-lock.json')].map(
      (file) => JSON.parse(readFileSync(file, 'utf8')).packages as Record<string, { version: string; integrity?: string; dev?: boolean }>,
    ) as [Record<string, { dev?: boolean }>, Record<string, { version: string; integrity?: string }>];
    const { '': root, 'node_modules/hydrauth': judge, ...others } = lock;
    expect([root, judge]).toMatchObject([{ dependencies: { hydrauth: version } }, { version }]);
    expect(others).toEqual(Object.fromEntries(Object.entries(own).filter(([path, { dev }]) => path !== '' && !dev)));
    expect(Object.values(others).filter(({ integrity }) => integrity === undefined)).toEqual([]);
    // Complete, and as the package wants it, in the eyes of npm.
    expect(spawnSync('npm', ['ls', '--all', '--package-lock-only'], { cwd: folder, encoding: 'utf8' })).toMatchObject({ status: 0 });
  });

  test('are not used when the installation fails: no verdict', async () => {
    writeFileSync(join(action, 'bin', 'npm.cjs'), 'process.exit(1);');
    const acted = await act(action, { target: 'http://127.0.0.1:1', collections: 'people' });
    expect(acted.code).toBe(3);
    expect(existsSync(join(acted.folder, 'call.json'))).toBe(false);
  });

  test.each([
    [{ target: '--config=other.json' }, 'target is "--config=other.json"; an http or https address is expected'],
    [{ target: '$(touch pwned)\n::set-output name=x::y' }, 'target is "$(touch pwned)\\n::set-output name=x::y"'],
    [{ collections: ' \n ' }, 'collections is empty'],
    [{ version: 'file:../other' }, 'version is "file:../other"'],
    [{ version: 'npm:other@1' }, 'version is "npm:other@1"'],
    [{ version: '1.0.0 --registry=http://127.0.0.1:1' }, 'version is "1.0.0 --registry'],
    [{ strict: 'yes' }, 'strict is "yes"; true or false is expected'],
  ])('%j is refused with 2, and nothing is started', async (inputs, message) => {
    const acted = await act(action, { target: 'http://127.0.0.1:1', collections: 'people', ...inputs });
    expect(acted).toMatchObject({ code: 2, outputs: { 'exit-code': '2' } });
    expect(acted.text).toContain(`::error title=hydrauth::${message}`);
    expect(acted.text.trim().split('\n')).toHaveLength(1);
    expect(acted.summary).toContain('exit code 2');
    expect(existsSync(join(acted.folder, 'call.json'))).toBe(false);
  });
});

test('a report with 100 failures is told in ten annotations, the worst first', async () => {
  const row = (id: number, outcome: string, given?: string) => ({
    ...{ id: `row.${id}`, outcome, statement: 'It holds.' },
    checks: [{ outcome: 'fail', expected: 'this', actual: '\x1b[2J\x9b\u202ethat\n::error::', given }],
  });
  const failures = Array.from({ length: 100 }, (_, id) => row(id, 'fail', { 50: 'resource', 99: 'token' }[id]));
  const report = JSON.stringify({ cases: { planned: 2000, leftOut: 1200 }, requirements: [row(100, 'warn', 'token'), ...failures] });
  const json = "process.argv.find((word) => word.startsWith('--json=')).slice(7)";
  fakeNpm(action, `require('node:fs').writeFileSync(${json}, ${JSON.stringify(report)}); process.exit(1);`);
  const acted = await act(action, { target: 'http://127.0.0.1:1', collections: 'people' });
  expect(acted.code).toBe(1);
  expect(annotations(acted).map((line) => line.split('::')[1])).toEqual([
    'warning title=hydrauth',
    ...['row.99', 'row.50', 'row.0', 'row.1', 'row.2', 'row.3', 'row.4', 'row.5'].map((id) => `error title=hydrauth ${id}`),
    'warning title=hydrauth',
  ]);
  expect(acted.text).toContain('::The verdict is about the cases that were tried: the budget left out 1,200 of 2,000.');
  expect(acted.text).toContain('::93 more: see the summary of the job');
  expect(acted.text).toContain('%0AActual: \\u{1b}[2J\\u{9b}\\u{202e}that%0A::error::\n');
});

test('a command that a signal ends is told as a shell tells it', async () => {
  fakeNpm(action, "process.kill(process.pid, 'SIGTERM')");
  expect((await act(action, { target: 'http://127.0.0.1:1', collections: 'people' })).code).toBe(143);
});
