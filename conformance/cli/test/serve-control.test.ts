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
import { calling, started } from './calling.js';

interface Said {
  readonly url: string;
  readonly control: string;
  readonly controlToken: string;
  readonly page?: string;
}

/** Starts serve in this process, on a terminal or not, and collects what it prints until it is ended. */
async function serving(words: readonly string[], isTTY: boolean) {
  const end = new AbortController();
  let out = '';
  let printed = () => {};
  const onOut = (part: string) => {
    out += part;
    printed();
  };
  const ended = calling(['serve', ...words], { isTTY, signal: end.signal, onOut });
  const lines = () => out.split('\n').slice(0, -1);
  const until = async (isDone: () => boolean) => {
    while (!isDone())
      await new Promise<void>((resolve) => {
        printed = resolve;
      });
  };
  await until(() => lines().length > 0);
  const stop = async () => {
    end.abort();
    return (await ended).code;
  };
  return { lines, until, end: stop, url: () => /http:[^\s"]+/.exec(out)?.[0] as string };
}

test('--control and --page are in the line of JSON', async () => {
  const server = await serving(['--json', '--page'], false);
  const said = JSON.parse(server.lines()[0] as string) as Said;
  expect(said.page).toBe(`${said.control}/?token=${said.controlToken}`);
  const headers = { authorization: `Bearer ${said.controlToken}` };
  expect(await (await fetch(`${said.control}/users`, { headers })).json()).toEqual([1, 2, 3]);
  expect((await fetch(`${said.control}/faults`, { headers })).status).toBe(200);
  expect(await server.end()).toBe(0);
});

test('without --json it is said in words', async () => {
  const server = await serving(['--page'], false);
  expect(server.lines().slice(-2)).toEqual([
    expect.stringMatching(/^Control: http:\/\/127\.0\.0\.1:\d+ with the token [0-9a-f]{48}$/),
    expect.stringMatching(/^Page: http:\/\/127\.0\.0\.1:\d+\/\?token=[0-9a-f]{48}$/),
  ]);
  await server.end();
});

test('every exchange is a line on a terminal', async () => {
  const server = await serving([], true);
  const before = server.lines().length;
  await fetch(`${server.url()}/books`);
  await fetch(`${server.url()}/books`, { headers: { 'x-authorization': 'x' } });
  await server.until(() => server.lines().length >= before + 2);
  expect(server.lines().slice(before)).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d\.\d\d\d GET \/api\/books \S*401 A\S* Challenged: it carries neither a token nor /),
    expect.stringMatching(/ GET \/api\/books \S*401 refused\S* Refused: the token is unknown\.$/),
  ]);
  await server.end();
});

test('it is quiet in a pipe, and beside --json; --log json prints exchanges as JSON, --log off nothing', async () => {
  for (const [words, isTTY] of [
    [[], false],
    [['--json'], true],
    [['--log', 'off'], true],
  ] as const) {
    const server = await serving(words, isTTY);
    const before = server.lines();
    await fetch(`${server.url()}/books`);
    await server.end();
    expect(server.lines()).toEqual(before);
  }
  const server = await serving(['--json', '--log', 'json'], false);
  await fetch(`${server.url()}/books`);
  await server.until(() => server.lines().length === 2);
  expect(JSON.parse(server.lines()[1] as string)).toMatchObject({ number: 1, step: 'A', method: 'GET', status: 401 });
  await server.end();
});

test.each([[], ['--log', 'json']])('what a terminal would obey is not printed: %s %s', async (...words) => {
  const server = await serving(words, true);
  const before = server.lines().length;
  await fetch(`${server.url()}/%1b[2J?\u009b`, { headers: { 'x-steers': '\u009b2J' } });
  await server.until(() => server.lines().length > before);
  expect(
    server
      .lines()
      .at(-1)
      ?.replace(/\u001b\[\d+m/g, ''),
  ).toMatch(/^[\x20-\x7e]+$/);
  await server.end();
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
