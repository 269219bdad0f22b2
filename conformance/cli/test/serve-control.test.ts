import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { packageFile } from '../../../spec/index.js';
import { listening } from '../../../spec/test/listening.js';
import { scratchFile } from '../../../spec/test/scratch.js';
import { command } from '../../test/command.js';
import { begun, started } from './calling.js';

interface Said {
  readonly url: string;
  readonly control: string;
  readonly controlToken: string;
  readonly page?: string;
}

/** Starts serve, on a terminal or not, until the end of the test: what it says first, how to ask for an address, and what it says of that. */
async function serving(words: readonly string[], isTTY = false) {
  const { printed, out, stop } = begun(['serve', ...words], { isTTY });
  onTestFinished(() => void stop());
  await printed(/\n/);
  const [begin, [url = '']] = [out(), /http:[^\s"]+/.exec(out()) ?? []];
  const ask = async (path: string, headers: Record<string, string> = {}) => (await fetch(url + path, { headers })).status;
  const lines = async (many: number) =>
    (await printed(new RegExp(`(.*\\n){${begin.split('\n').length - 1 + many}}`))).slice(begin.length).trim().split('\n');
  return { begin, ask, lines, out, stop };
}

test('--control and --page are in the line of JSON', async () => {
  const { begin, stop } = await serving(['--json', '--page']);
  const said = JSON.parse(begin) as Said;
  expect(said.page).toBe(`${said.control}/?token=${said.controlToken}`);
  const headers = { authorization: `Bearer ${said.controlToken}` };
  expect(await (await fetch(`${said.control}/users`, { headers })).json()).toEqual([1, 2, 3]);
  expect((await fetch(`${said.control}/faults`, { headers })).status).toBe(200);
  expect((await stop()).code).toBe(0);
});

test('without --json it is said in words', async () => {
  expect((await serving(['--page'])).begin).toMatch(
    /\nControl: http:\/\/127\.0\.0\.1:\d+ with the token [0-9a-f]{48}\nPage: http:\/\/127\.0\.0\.1:\d+\/\?token=[0-9a-f]{48}\n$/,
  );
});

test('every exchange is a line on a terminal', async () => {
  const { ask, lines } = await serving([], true);
  for (const headers of [{}, { 'x-authorization': 'x' }] as Record<string, string>[]) await ask('/books', headers);
  expect(await lines(2)).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d\.\d\d\d GET \/api\/books \S*401 A\S* Challenged: it carries neither a token nor /),
    expect.stringMatching(/ GET \/api\/books \S*401 refused\S* Refused: the token is unknown\.$/),
  ]);
});

test.each([
  [[], false],
  [['--json'], true],
  [['--log', 'off'], true],
])('it is quiet with %j, on a terminal: %s', async (words, isTTY) => {
  const { ask, begin, out, stop } = await serving(words, isTTY);
  await ask('/books');
  await stop();
  expect(out()).toBe(begin);
});

test('--log json prints exchanges as JSON', async () => {
  const { ask, lines } = await serving(['--json', '--log', 'json']);
  await ask('/books');
  expect(JSON.parse((await lines(1)).join())).toMatchObject({ number: 1, step: 'A', method: 'GET', status: 401 });
});

test.each([[], ['--log', 'json']])('what a terminal would obey is not printed: %s %s', async (...words) => {
  const { ask, lines } = await serving(words, true);
  await ask('/%1b[2J?\u009b', { 'x-steers': '\u009b2J' });
  expect((await lines(1)).join().replace(/\u001b\[\d+m/g, '')).toMatch(/^[\x20-\x7e]+$/);
});

test('--exit-with-parent: it ends when its standard input ends', async () => {
  const { child, printed, ended } = started(['serve', '--port', '0', '--json', '--exit-with-parent'], {}, 'pipe');
  const { url } = JSON.parse(await printed(/.*\n/)) as Said;
  expect((await fetch(`${url}/books`)).status).toBe(401);
  child.stdin?.end();
  expect(await ended).toMatchObject({ code: 0, err: '' });
});

// What npx does: it starts the command through a shell, and says so in the environment.
const likeNpx = `
const { spawn } = require('node:child_process');
spawn(process.argv[1], { shell: true, stdio: 'inherit', env: { ...process.env, npm_command: 'exec' } });
`;

test.each(['SIGTERM', 'SIGKILL'] as const)('it ends when the npx that started it is ended by %s', async (signal) => {
  const words = [...command, 'serve', '--port', '0', '--json'].map((word) => `"${word}"`).join(' ');
  // Output goes on through a pipe whose end says that the last one that writes to it is gone.
  const npx = spawn(process.execPath, ['-e', likeNpx, `${words}; true`], { cwd: packageFile(), stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void npx.kill('SIGKILL'));
  const [line] = await once(npx.stdout.setEncoding('utf8'), 'data');
  const { url } = JSON.parse(line) as Said;
  expect((await fetch(`${url}/books`)).status).toBe(401);
  const gone = once(npx.stdout, 'close');
  npx.kill(signal);
  await gone;
  await expect(fetch(`${url}/books`)).rejects.toThrow();
});

/** `serve --open` with this browser: what it printed first, and the process. */
async function opening(browser: string) {
  const serving = started(['serve', '--open', '--json'], { BROWSER: browser });
  onTestFinished(() => void serving.child.kill());
  return { ...serving, said: JSON.parse(await serving.printed(/.*\n/)) as { control: string; page: string } };
}

test('--open starts the browser with an address that is good for one visit', async () => {
  const called = createServer();
  await using at = await listening(called);
  const tell = `await fetch('${at.url}/', { method: 'POST', body: process.argv[2] });`;
  const browser = scratchFile('browser.mjs', `#!${process.execPath}\n${tell}\n`);
  chmodSync(browser, 0o755);
  const asked = once(called, 'request');
  const { said } = await opening(browser);
  const [req, res] = await asked;
  const address = await text(req);
  res.end();

  expect(address.startsWith(`${said.control}/?`)).toBe(true);
  expect(address).not.toContain(new URL(said.page).searchParams.get('token'));
  const first = await fetch(address);
  expect(first.status).toBe(200);
  expect(first.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/);
  expect((await fetch(address)).status).toBe(401);
});

test('without a browser the address is told', async () => {
  const { printed, said } = await opening('/nowhere/browser');
  expect(await printed(/.*\n/, 'stderr')).toContain(`no browser can be started; open ${said.page} yourself`);
});
