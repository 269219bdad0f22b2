import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { packageFile } from '../../../spec/index.js';
import { listening } from '../../../spec/test/listening.js';
import { scratch } from '../../../spec/test/scratch.js';
import { command } from '../../test/command.js';

/** `serve --open` with this browser: what it printed first, and the process. */
async function opening(browser: string) {
  const [program, ...start] = command;
  const child = spawn(program, [...start, 'serve', '--open', '--json'], {
    cwd: packageFile(),
    env: { ...process.env, BROWSER: browser },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  child.stdout.setEncoding('utf8');
  const [line] = (await once(child.stdout, 'data')) as [string];
  return { child, printed: JSON.parse(line) as { control: string; page: string } };
}

test('--open starts the browser with an address that is good for one visit', async () => {
  const called = createServer();
  await using at = await listening(called);
  const browser = join(scratch(), 'browser.mjs');
  const tell = `await fetch('${at.url}/', { method: 'POST', body: process.argv[2] });`;
  writeFileSync(browser, `#!${process.execPath}\n${tell}\n`, { mode: 0o755 });
  const asked = once(called, 'request');
  const { printed } = await opening(browser);
  const [req, res] = await asked;
  const address = await text(req);
  res.end();

  expect(address.startsWith(`${printed.control}/?`)).toBe(true);
  expect(address).not.toContain(new URL(printed.page).searchParams.get('token'));
  const first = await fetch(address);
  expect(first.status).toBe(200);
  expect(first.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/);
  expect((await fetch(address)).status).toBe(401);
});

test('without a browser the address is told', async () => {
  const { child, printed } = await opening('/nowhere/browser');
  child.stderr.setEncoding('utf8');
  const [said] = (await once(child.stderr, 'data')) as [string];
  expect(said).toContain(`no browser can be started; open ${printed.page} yourself`);
});
