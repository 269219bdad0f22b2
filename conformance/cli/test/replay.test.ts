import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startReferenceServer } from '../../../fixtures/reference-server.js';
import { changeLiteral, type Literal, loadSpec, spec } from '../../../spec/index.js';
import { scratch, scratchFile } from '../../../spec/test/scratch.js';
import { readReport } from '../../report/index.js';
import { calling } from './calling.js';

const folder = scratch();
const broken = join(folder, 'broken.json');
const mended = join(folder, 'mended.json');
const clean = join(folder, 'clean.json');
const users = [{ id: 1, paraphrase: 'secret' }];
const env = { HYDRAUTH_USERS: '1:secret' };
const servers: RunningServer[] = [];

async function check(server: RunningServer, file: string): Promise<number | null> {
  const words = ['check', server.url, '--collection', 'people', '--engine', 'laws', '--only', 'challenge.www-authenticate', '--json', file];
  return (await calling(words, { env })).code;
}

beforeAll(async () => {
  const realm = spec.literals.find(({ name }) => name === 'realm') as Literal;
  const other = loadSpec(changeLiteral(spec.source, realm, 'Elsewhere'));
  const good = await startReferenceServer({ users, collections: ['people'] });
  const bad = await startReferenceServer({ users, collections: ['people'], spec: other });
  servers.push(good, bad);
  expect([await check(bad, broken), await check(good, clean)]).toEqual([1, 0]);
  writeFileSync(mended, readFileSync(broken, 'utf8').replaceAll(bad.url, good.url));
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

describe('hydrauth replay', () => {
  test('says so when the report was made under another profile', async () => {
    const profile = scratchFile('profile.yaml', (await calling(['export', 'overlay', '--lifetime', 'PT20M'])).out);
    const { err } = await calling(['replay', broken, '--spec', profile], { env });
    expect(err).toContain('was recorded under another profile');
  });

  test('of what needs a clock has no verdict without one', async () => {
    const server = await startReferenceServer({ users, collections: ['people'], clock: 'manual', faults: ['expires-a-third-late'] });
    servers.push(server);
    const file = join(folder, 'late.json');
    const only = ['--engine', 'laws', '--only', 'expiry.refused-after', '--clock', String(server.clockUrl)];
    expect((await calling(['check', server.url, '--collection', 'people', ...only, '--json', file], { env })).code).toBe(1);
    const { code, out } = await calling(['replay', file], { env });
    expect(out).toContain('This needs a clock that can be moved (see --clock).');
    expect(out).toContain('0 failed again, 0 passed');
    expect(code).toBe(3);
  });

  test('ends well when it is mended', async () => {
    const { code, out } = await calling(['replay', mended], { env });
    expect(out).toContain('0 failed again, 1 passed, 0 untested');
    expect(code).toBe(0);
  });

  describe('of a case of its own', () => {
    const replayed = async (url: string, path: string) => {
      const { target, requirements, ...report } = readReport(broken);
      const [row] = requirements as [(typeof requirements)[number]];
      const checks = row.checks.map((check) => ({ ...check, id: 'token.reusable', path }));
      const of = { ...report, target: { ...target, url }, requirements: [{ ...row, id: 'token.reusable', checks }] };
      return calling(['replay', scratchFile('case.json', JSON.stringify(of))], { env });
    };

    test('passes nothing that the service kept from being tried', async () => {
      await using server = await startReferenceServer({ users, collections: ['people'] });
      server.troubles.use({ status: 500, state: 'valid token' });
      expect(await replayed(server.url, '0')).toMatchObject({
        code: 3,
        out: expect.stringContaining('0 failed again, 0 passed, 1 untested'),
      });
    });

    test.each(['Infinity', '3000000000', 'x', '-5', '0:Infinity', '0:0:0:0:0:0:0:0', '0:99'])('refuses the path %s', async (path) => {
      const called = await replayed(servers[0]?.url ?? '', path);
      expect(called).toMatchObject({ code: 2, err: expect.stringContaining(`"${path}" leads to no case of token.reusable`) });
    });
  });

  test.each<[string, string[], string]>([
    [
      'a failure that was not recorded',
      [broken, 'token.sufficient'],
      'records no failure of token.sufficient; it records challenge.www-authenticate\n',
    ],
    ['a report without failures', [clean], 'there is nothing to replay'],
    ['a file that is not there', [join(folder, 'none.json')], 'cannot be read (ENOENT)'],
  ])('refuses %s', async (_, words, message) => {
    expect(await calling(['replay', ...words], { env })).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });

  test('shows what steers a terminal as what it is, in whatever somebody else wrote', async () => {
    const steering = '\x1b[2J\x9b\u202e';
    const report = readReport(broken);
    const requirements = report.requirements.map((each) => ({
      ...each,
      ...{ section: steering, statement: steering, hint: steering },
      checks: each.checks.map((check) => ({ ...check, id: steering, message: steering, curl: steering })),
    }));
    const { profile, kit } = report;
    const steers = { kit: { ...kit, version: steering }, profile: { ...profile, version: steering, digest: 'x' } };
    const file = scratchFile('steering.json', JSON.stringify({ ...report, requirements, ...steers }));
    const subject = `a@sha256:${'0'.repeat(64)}`;
    for (const words of [
      ['replay', file, '--curl'],
      ['replay', file, 'other'],
      ['replay', file],
      ['report', file],
      ['report', file, '--verbose'],
      ['attest', file, '--subject', subject],
    ]) {
      const { out, err } = await calling(words);
      expect([words, out + err]).toEqual([words, expect.stringMatching(/\\x1b|\\u001b/)]);
      expect([words, /[\x1b\x9b\u202e]/.test(out + err)]).toEqual([words, false]);
    }
  });

  test('asks for the users, which no report holds', async () => {
    expect(await calling(['replay', broken])).toMatchObject({ code: 2, err: expect.stringContaining('at least one authorised user') });
  });
});

test('check --last-failed judges what failed in the report that is named, or the one at --json, and everything when nothing did', async () => {
  const file = join(folder, 'last.json');
  const served = { users, collections: ['people'] };
  await using wrong = await startReferenceServer({ ...served, faults: ['challenge-other-text'] });
  await using right = await startReferenceServer(served);
  const checked = async (url: string, ...words: string[]) => {
    const called = await calling(['check', url, '--collection', 'people', '--engine', 'laws', '--json', file, ...words], { env });
    const { requirements } = readReport(file);
    return { ...called, ids: requirements.map(({ id }) => id) };
  };
  expect(await checked(wrong.url, '--only', 'challenge')).toMatchObject({ code: 1 });
  const other = join(folder, 'named.json');
  const named = ['check', '--last-failed', file, right.url, '--collection', 'people', '--engine', 'laws', '--json', other];
  expect(await calling(named, { env })).toMatchObject({ code: 0 });
  expect(readReport(other).requirements.map(({ id }) => id)).toEqual(['challenge.body']);
  expect(await checked(right.url, '--last-failed')).toMatchObject({ code: 0, ids: ['challenge.body'] });
  const { err, ids } = await checked(right.url, '--last-failed', '--skip', 'exchange', 'token', 'protection');
  expect([err, ids.length > 10]).toEqual([`Nothing failed in ${file}, so everything is judged.\n`, true]);
  for (const words of [['--last-failed'], ['--last-failed', '--json', file, '--only', 'challenge']])
    expect(await calling(['check', right.url, '--collection', 'people', ...words], { env })).toMatchObject({ code: 2 });
});

test('a replay shows a failure again and writes reports; started by npx, the commands that are printed begin so', async () => {
  const [file, html] = [join(folder, 'npx.json'), join(folder, 'replayed.html')];
  const words = ['replay', broken, 'challenge.www-authenticate', '--json', file, '--html', html];
  const { code, out, err } = await calling(words, { env: { ...env, npm_command: 'exec' } });
  expect([code, err]).toEqual([1, '']);
  expect(out).toContain('1 failed again');
  expect(out).toContain(`npx hydrauth replay ${broken} `);
  expect(readFileSync(html, 'utf8')).toContain('npx hydrauth replay ');
  expect([JSON.parse(readFileSync(file, 'utf8')).verdict, readFileSync(html, 'utf8').length > 1000]).toEqual(['non-conformant', true]);
});

describe('hydrauth compare', () => {
  test('prints a Markdown table of both, and writes HTML into a file of that name', async () => {
    const { code, out } = await calling(['compare', broken, clean]);
    expect([code, out]).toEqual([0, expect.stringMatching(/broken.*clean[\s\S]*challenge\.www-authenticate/)]);
    const file = join(folder, 'out', 'matrix.html');
    expect(await calling(['compare', broken, clean, '--output', file])).toEqual({ code: 0, out: '', err: '' });
    expect(readFileSync(file, 'utf8')).toMatch(/^<!doctype html>/i);
  });

  test('says as JSON and by its exit code what got worse', async () => {
    const file = join(folder, 'compared.json');
    expect(await calling(['compare', broken, clean, '--fail-on-worse', '--json', file])).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ implementations: [{ name: 'broken' }, { name: 'clean' }], worse: [] });
    const { code, out, err } = await calling(['compare', clean, broken, '--fail-on-worse', '--json', '-']);
    expect([code, err]).toEqual([1, 'challenge.www-authenticate got worse in broken: pass, now fail\n']);
    expect(JSON.parse(out).worse).toEqual([{ id: 'challenge.www-authenticate', report: 'broken', was: 'pass', is: 'fail' }]);
    expect(await calling(['compare', clean, '--fail-on-worse'])).toMatchObject({ code: 2 });
  });

  test('takes a later report without a verdict for worse', async () => {
    const gone = join(folder, 'gone.json');
    await calling(['check', 'http://127.0.0.1:1/api', '--collection', 'people', '--json', gone], { env });
    const { code, err } = await calling(['compare', clean, gone, '--fail-on-worse']);
    expect([code, err]).toEqual([1, expect.stringContaining('gone has no verdict any more (error)\n')]);
    expect(await calling(['compare', gone, clean, '--fail-on-worse'])).toMatchObject({ code: 0, err: '' });
  });

  test('refuses what is no report', async () => {
    const file = scratchFile('other.json', '{}');
    for (const words of [['compare', clean], ['report'], ['attest', '--subject', `api@sha256:${'0'.repeat(64)}`], ['replay']]) {
      expect(await calling([...words, file])).toMatchObject({ code: 2, err: expect.stringContaining('other.json: at /: has no kit') });
    }
  });
});
