import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { needs, quietChromium } from '../../fixtures/test/needs.js';
import { startReferenceServer } from '../index.js';

const program = needs('chromium');

test.skipIf(program.skip)(`a page of another origin does the three steps with fetch${program.note}`, async () => {
  await using server = await startReferenceServer();
  const pages = createServer((_, res) => res.setHeader('Content-Type', 'text/html').end('<!doctype html><title>another origin</title>'));
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath: program.path, args: quietChromium });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
    const seen = await page.evaluate(async (address) => {
      const challenged = await fetch(address);
      const nonce = challenged.headers.get('X-Authentication') as string;
      const credentials = `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode('3:smörgåsbord på 北京 ☃')))}`;
      const exchanged = await fetch(address, { headers: { 'X-Authentication': nonce, Authorization: credentials } });
      const token = exchanged.headers.get('X-Authorization') as string;
      const served = await fetch(address, { headers: { 'X-Authorization': token } });
      return {
        statuses: [challenged.status, exchanged.status, served.status],
        asked: challenged.headers.get('WWW-Authenticate'),
        link: served.headers.get('Link'),
        type: ((await served.json()) as { '@type': string })['@type'],
      };
    }, `${server.url}/books`);
    expect(seen).toEqual({
      statuses: [401, 200, 200],
      asked: 'Basic realm="Login required"',
      link: expect.stringContaining('/api/vocab>'),
      type: 'hydra:Collection',
    });
    expect(server.recorded.filter((each) => each.method === 'OPTIONS').map((each) => each.status)).toEqual([200]); // the second is remembered
  } finally {
    await browser.close();
    pages.close();
  }
});
