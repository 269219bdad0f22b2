import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { quietChromium } from '../../../fixtures/test/needs.js';
import { scratch } from '../../../spec/test/scratch.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const desk = { viewport: { width: 1440, height: 900 } };
export const phone = { viewport: { width: 400, height: 800 } };
/** The schemes and sizes in which every page is looked at. */
export const looks: [string, BrowserContextOptions][] = [
  ['in light', { ...desk, colorScheme: 'light' }],
  ['on a phone in the dark', { ...phone, colorScheme: 'dark' }],
];

/** Starts a browser for the tests of a block. What it gives opens a page from a file; anything that page fetches, logs or throws is kept. */
export function useBrowser(program: string) {
  let browser: Browser;
  const folder = scratch();
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program, args: quietChromium });
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  afterAll(async () => {
    await browser?.close();
  });
  return async (text: string, options: BrowserContextOptions = {}): Promise<{ page: Page; trouble: string[] }> => {
    const file = join(folder, 'page.html');
    writeFileSync(file, text);
    const page = await browser.newPage({ ...desk, ...options });
    const trouble: string[] = [];
    page.on('request', (request) => {
      if (!/^(file|data):/.test(request.url())) trouble.push(request.url());
    });
    page.on('console', (message) => trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(error.message));
    await page.goto(pathToFileURL(file).href);
    return { page, trouble };
  };
}

/** Nothing to complain of for axe, and nothing wider than the window. */
export async function expectSound(page: Page): Promise<void> {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}
