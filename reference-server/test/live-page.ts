import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { hydraClient } from '../../conformance/reference-client/index.js';
import { faults, variants } from '../../fixtures/index.js';
import { quietChromium } from '../../fixtures/test/needs.js';
import { type StartOptions, startReferenceServer } from '../index.js';

export const user = { id: 1, paraphrase: 'open sesame' };

export type Opened = Awaited<ReturnType<ReturnType<typeof useLivePage>>>;

/** Starts a browser for the tests of a file. What it gives opens the live page of a server of its own. */
export function useLivePage(program: string) {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program, args: quietChromium });
  });
  afterAll(async () => browser?.close());
  return async (options: BrowserContextOptions = {}, more: StartOptions = {}) => {
    const server = await startReferenceServer(
      { page: true, clock: 'manual', users: [user, { id: 2, paraphrase: 'other' }], ...more },
      { faults, variants },
    );
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    const page = await context.newPage();
    onTestFinished(async () => {
      await context.close();
      await server.close();
    });
    /** What the page threw, or logged as wrong, and what it loaded from elsewhere. */
    const trouble: string[] = [];
    const own = [new URL(server.page as string).origin, new URL(server.url).origin, 'data:', 'blob:'];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') trouble.push(message.text());
    });
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('request', (request) => {
      if (!own.some((origin) => request.url().startsWith(origin))) trouble.push(request.url());
    });
    await page.goto(server.page as string);
    await page.locator('#connection', { hasText: 'live' }).waitFor();
    return {
      server,
      page,
      trouble,
      /** A new client of the service, which logs in by itself. */
      client: () => hydraClient({ baseUrl: server.url, user: user.id, paraphrase: user.paraphrase }),
      /** One request with fetch, on a connection that others may use too. */
      ask: (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers }),
    };
  };
}

/** Waits until the last exchange that the server recorded is the last row of the diagram. */
export async function inStep({ page, server }: Opened): Promise<void> {
  const last = server.recorded.at(-1);
  if (last !== undefined) await page.locator(`#row-${last.number}`).waitFor();
}

/** The rows in view: the sign of the step, the status, and why. */
export async function rowsOf(page: Page): Promise<string[]> {
  const rows = await page.locator('.row').all();
  return Promise.all(
    rows.map(async (row) => {
      if ((await row.getAttribute('aria-disabled')) === 'true') return row.innerText();
      return `${await row.locator('.act').innerText()} ${await row.locator('.tell').innerText()}`;
    }),
  );
}
