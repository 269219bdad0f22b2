import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { listening } from '../../../spec/test/listening.js';
import { scratch } from '../../../spec/test/scratch.js';
import { started } from './calling.js';

/** `serve --open` with this browser: what it printed first, and the process. */
async function opening(browser: string) {
  const serving = started(['serve', '--open', '--json'], { BROWSER: browser });
  onTestFinished(() => void serving.child.kill());
  return { ...serving, said: JSON.parse(await serving.printed(/.*\n/)) as { control: string; page: string } };
}

test('--open starts the browser with an address that is good for one visit', async () => {
  const called = createServer();
  await using at = await listening(called);
  const browser = join(scratch(), 'browser.mjs');
  const tell = `await fetch('${at.url}/', { method: 'POST', body: process.argv[2] });`;
  writeFileSync(browser, `#!${process.execPath}\n${tell}\n`, { mode: 0o755 });
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
