import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startReferenceServer } from '../../../fixtures/reference-server.js';
import { packageFile } from '../../../spec/index.js';
import { scratch, scratchFile } from '../../../spec/test/scratch.js';
import { runConformance } from '../../index.js';
import { command } from '../../test/command.js';
import { nodeTooOld } from '../node-version.js';
import { calling } from './calling.js';

const folder = scratch();
const fileWith = (name: string, text: string) => scratchFile(name, text, folder);
const linkTo = (file: string, name: string) => {
  symlinkSync(file, join(folder, name));
  return join(folder, name);
};
const loop = linkTo('loop', 'loop');
const nowhere = 'http://127.0.0.1:9/api';
const user = ['--user', '1:x'];
const read = [nowhere, '--collection', 'a'];
const some = ['--collection', 'a', ...user];
/** A call with nothing wrong in it. */
const good = [...read, ...user];
const users = fileWith('u', '1:x');

test.each<[readonly string[], RegExp]>([
  [['localhost:8080/api', ...some], /perhaps http:\/\/localhost:8080\/api is meant/],
  [[...good, '--only', 'token.suficient'], /Did you mean token\.sufficient\?/],
  [[...good, '--only', 'token,challenge.body'], /: --only: .*not commas: token challenge\.body\./],
  [[...good, '--skip', 'client.token-reused'], /: --skip: .*about clients, which hydrauth check-client judges/],
  [[...good, '--colection', 'a'], /there is no option --colection\. Did you mean --collection\?\n/],
  [[...good, '-x'], /there is no option -x\.\nAllowed: --/],
  [[...good, '--runs', '1', 'more'], /unexpected argument "more"/],
  [[...good, '--ca'], /--ca needs a value: --ca F\n/],
  [[...good, '--ca', '--insecure'], /--ca needs a value; one that begins with a dash is written --ca=F\n/],
  [[...good, '--ca', 'a', '--ca', 'b'], /--ca is given twice/],
  [[...good, '--insecure=yes'], /--insecure takes no value/],
  [[...good, '--insecure', '--ca', 'a'], /--ca and --insecure cannot be given together/],
  [[...good, '--clock', 'sundial'], /"sundial" is no clock; none, wait, faketime:FILE, exec:COMMAND or an http/],
  [[nowhere, ...user], /: --collection: at least one collection/],
  [[...read], /: --user: at least one authorised user .* unless auth is off.*HYDRAUTH_USERS/],
  [[...good, '--header', 'secret'], /: --header: number 1 is no header line; "Name: value" is expected/],
  [[...good, '--header', 'X-A: a\r\nX-B: b'], /is no header line/],
  [[...good, '--header', 'X-Authorization: x'], /X-Authorization is not allowed/],
  [[...good, '--header', 'authorization: Basic x'], /authorization is not allowed/],
  [[...good, '--header', 'Host: elsewhere'], /Host is not allowed/],
  [['http://me:secret@h:99999/api', ...some], /: <base-url>: "http:\/\/h:99999\/api" is no URL/],
  [['http://me:secret@h/api', ...some], /: <base-url>: a base URL carries no user/],
  [[`http://h/${'a'.repeat(8000)}`, ...some], /: <base-url>: .* at most 8,000 characters/],
  [[...good, '--budget', '0'], /"0" is no budget; a number of requests \(800\) or a time/],
  [[nowhere, '--collection', '..', ...user], /"\.\." is no path below the base URL: it leads to another address/],
  [[nowhere, '--collection', '100%', ...user], /"100%" .*write %25 where it is part of the name/],
  [[...good, '--ca', fileWith('no.pem', 'x')], /: --ca: .*no certificate/],
  [[nowhere, '--clock', `faketime:${join(folder, 'none')}`], /--clock: there is no file .*none; write/],
  [[...good, '--only', 'token.sufficient', '--skip', 'token'], /: --only: --only and --skip leave nothing that can be judged/],
  [[...read, '--users-file', fileWith('no-colon', '# ours\n1:x\nsecret\n')], /no-colon, line 3: a user has no colon/],
  [[...read, '--users-file', fileWith('twice', '1:x\n\n1:y\n')], /twice, line 3: user 1 stands in line 1 already/],
  [[...good, '--json', 'x', '--html', './x'], /--json and --html both write to .*x; give/],
  [[...good, '--json=-', '--junit=-'], /both write to standard output/],
  [[...read, '--users-file', users, '--json', users], /--json would overwrite .*, which --users-file reads/],
  [[...read, '--users-file', users, '--json', linkTo('u', 'link.json')], /--json would overwrite .*, which --users-file reads/],
  [[...good, '--spec', loop], /loop: cannot be read \(ELOOP\)/],
  [[...good, '--watch', loop], /--watch .*loop: there is no such/],
  [[nowhere, '--runs', '-1'], /--runs is -1; a whole number from 1 to/],
  [[nowhere, '--json', 'none.json', '--last-failed'], /no report none\.json yet; a run with --json none\.json and without/],
])('a mistake in a call is told with what is meant or allowed: %j', async (words, said) => {
  const { code, err } = await calling(['check', ...words]);
  expect([code, err]).toEqual([2, expect.stringMatching(said)]);
  expect(err).not.toContain('secret');
});

test.each([
  ['--json', '/proc/x/r.json', 'the folder /proc/x cannot be made (ENOENT)'],
  ['--html', folder, 'it is a folder'],
  ['--markdown', join(fileWith('a-file', ''), 'r.md'), `the folder ${join(folder, 'a-file')} cannot be made (EEXIST)`],
  ['--write-baseline', join(fileWith('another', ''), 'none', 'known.json'), 'the folder '],
])('%s %s is refused before anything is sent', async (option, file, why) => {
  const { code, out, err } = await calling(['check', ...good, option, file]);
  expect([code, out, err]).toEqual([2, '', expect.stringContaining(`${option} ${file} cannot be written: ${why}`)]);
});

test.each([
  ['report', '--html'],
  ['replay', '--json'],
  ['compare', '--output'],
  ['judge', '--markdown'],
])('%s %s does not overwrite what it reads', async (command, option) => {
  const file = fileWith('read.json', 'mine');
  const { code, err } = await calling([command, file, option, file]);
  expect([code, err]).toEqual([2, expect.stringContaining(`${option} would overwrite ${file}, which the call reads`)]);
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

test.each([
  ['merge', 'fleet.json', 'it is a named pipe'],
  ['judge', 'p.har', 'is not a file'],
])('%s does not wait for a pipe in the place of %s', async (command, name, why) => {
  const path = join(folder, `piped-${command}`);
  mkdirSync(path);
  execFileSync('mkfifo', [join(path, name)]);
  // So that the test ends where it is read after all.
  const writer = spawn('sh', ['-c', 'echo x > "$0"', join(path, name)]);
  onTestFinished(() => void writer.kill());
  const { code, err } = await calling(
    command === 'judge' ? [command, join(path, name)] : [command, path, '--output', join(folder, 'of-pipe')],
  );
  expect([code, err]).toEqual([2, expect.stringContaining(why)]);
});

test.runIf(existsSync('/dev/ptmx'))('merge does not wait for a terminal in the place of fleet.json', () => {
  const path = join(folder, 'terminal');
  mkdirSync(path);
  symlinkSync('/dev/ptmx', join(path, 'fleet.json'));
  const [program, ...start] = command;
  // A process of its own, because nothing but its end would end the reading.
  const { status, stderr } = spawnSync(program, [...start, 'merge', path, '--output', join(folder, 'of-terminal')], {
    ...{ timeout: 60_000, killSignal: 'SIGKILL', encoding: 'utf8' },
  });
  expect([status, stderr]).toEqual([2, expect.stringContaining('cannot be read')]);
});

describe('a file that has no end, or is larger than any of its kind, is refused before it fills the memory', () => {
  const huge = fileWith('huge', '');
  truncateSync(huge, 200_000_000);
  for (const name of ['run', 'history']) mkdirSync(join(folder, name));
  symlinkSync('/dev/zero', join(folder, 'run', 'fleet.json'));
  symlinkSync(huge, join(folder, 'history', '2026-01-01T00-00-00.json'));
  test.each([
    [['replay', huge]],
    [['compare', huge, huge]],
    [['report', '/dev/zero']],
    [['attest', huge, '--subject', `a@sha256:${'0'.repeat(64)}`]],
    [['merge', join(folder, 'run'), '--output', join(folder, 'merged')]],
    [['fleet', huge, '--output', join(folder, 'fleet')]],
    [['fleet', 'none.yaml', '--output', join(folder, 'fleet'), '--history', join(folder, 'history')]],
    [['check', ...good, '--baseline', huge]],
    [['check', ...good, '--last-failed', huge]],
    [['check', ...good, '--spec', huge]],
    [['check', ...good, '--config', huge]],
    [['check', ...good, '--ca', huge]],
    [['check', ...read, '--users-file', huge]],
  ])('%j', async (words) => {
    const { code, out, err } = await calling(words);
    expect([code, out, err]).toEqual([2, '', expect.stringContaining('cannot be read (it is larger than 16 MB); ')]);
  });
});

test('what stands in a file is kept when nothing is written, and no file is left that was not there', async () => {
  const [old, fresh] = [fileWith('old.json', 'mine'), join(folder, 'fresh.html')];
  const words = ['check', ...read, '--json', old, '--html', fresh];
  expect((await calling(words)).code).toBe(2);
  expect([readFileSync(old, 'utf8'), existsSync(fresh)]).toEqual(['mine', false]);
});

test('a budget that is spent at once, and a port without TLS, are told without a stack trace', async () => {
  await using server = await startReferenceServer({ users: [{ id: 1, paraphrase: 'x' }], collections: ['people'] });
  const check = (url: string, ...more: string[]) => calling(['check', url, '--collection', 'people', ...user, '--engine', 'laws', ...more]);
  const spent = await check(server.url, '--budget', '1');
  expect([spent.code, spent.err]).toEqual([3, '']);
  expect(spent.out).toContain('The target cannot be judged: the budget of 1 request was spent.');
  const plain = await check(server.url.replace('http:', 'https:'));
  expect([plain.code, plain.out]).toEqual([3, expect.stringContaining('a port without TLS is written http://')]);
});

test('an older Node.js is told which one is needed', () => {
  const { engines } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  expect(nodeTooOld('18.20.4')).toBe(`Node.js ${engines.node.replace('>=', '')} or later is needed; this is 18.20.4.`);
  expect(['20.18.3', '20.19.0', '22.0.0'].map((version) => nodeTooOld(version) === undefined)).toEqual([false, true, true]);
});

test('a report goes to standard output as it is, and what is for people to standard error', async () => {
  const { code, out, err } = await calling(['check', ...good, '--json', '-']);
  expect([code, JSON.parse(out).verdict]).toEqual([3, 'error']);
  expect(err).toContain('No verdict: ');
});

test.each([
  [[nowhere, '--collection', 'my things', 'Größe', ...user]],
  [[...user, '--collection', 'my things', nowhere, 'Größe']],
  [[...user, '--collection=my things', 'Größe', '--', nowhere]],
])('when nothing listens, that is nearly all that is said: %j', async (words) => {
  const { code, out } = await calling(['check', ...words]);
  expect(code).toBe(3);
  expect(out).toContain('collections my%20things, Gr%C3%B6%C3%9Fe;');
  expect(out.trimEnd().split('\n').length).toBeLessThan(6);
  expect(out).toMatch(/\nNo verdict: The target cannot be judged\. Nothing listens at 127\.0\.0\.1:9: .*\n$/);
});

test('a baseline is written, keeps the reasons that stand in it, and is then enough', async () => {
  const faults = ['realm-in-other-case', 'link-missing-on-exchange'];
  await using server = await startReferenceServer({ users: [{ id: 1, paraphrase: 'x' }], collections: ['people'], faults });
  const call = ['check', server.url, ...user, ...'--collection people --engine laws --runs 1 --only challenge headers'.split(' ')];
  const file = fileWith(
    'known.json',
    '[{"requirement": "headers.link", "reason": "Next release."}, {"requirement": "headers.date", "reason": "Old."}]',
  );
  expect(await calling([...call, '--write-baseline', file])).toMatchObject({ code: 1, err: expect.stringContaining('has 2 entries now') });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([
    { requirement: 'headers.link', reason: 'Next release.' },
    { requirement: 'challenge.www-authenticate', reason: 'WWW-Authenticate: Basic realm="LOGIN REQUIRED"' },
  ]);
  expect(await calling([...call, '--baseline', file])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/\nConformant: .*2 known failures/),
  });
});

test('from JavaScript the same mistakes are told with the names of the library', async () => {
  const right = { baseUrl: nowhere, collections: ['a'], users: ['1:secret'] };
  const said = (options: object) => runConformance({ ...right, ...options }).catch((error: Error) => error.message);
  expect(await said({ baseUrl: 'nowhere' })).toMatch(/^baseUrl: /);
  expect(await said({ collections: [] })).toMatch(/^collections: /);
  expect(await said({ users: '1:secret' })).toBe('users: a value of type string is not allowed; a list of users is');
});
