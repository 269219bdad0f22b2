import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../fixtures/test/needs.js';
import { compareReports, htmlReport, junitReport, matrixHtml } from '../index.js';
import { hostileReport } from './hostile.js';
import { brokenReport, cleanReport, failingReport } from './samples.js';

const program = needs('chromium');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

test('the page is one file that loads nothing', () => {
  const text = htmlReport(brokenReport());
  expect(text).not.toMatch(/ (src|srcset|style|on[a-z]+)=|@import|url\(/);
  expect(text).toContain("default-src 'none'; style-src 'sha256-");
});

test('a value of a megabyte does not make a page of megabytes', () => {
  expect(htmlReport(hostileReport('a<b|'.repeat(262_144))).length).toBeLessThan(1_000_000);
});

describe.skipIf(program.skip)(`in Chromium${program.note}`, () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hydrauth-'));
    browser = await chromium.launch({ executablePath: program.path, args: quiet });
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens a page from a file; anything it fetches, logs or throws is kept. */
  async function open(text: string, options: BrowserContextOptions = {}): Promise<{ page: Page; trouble: string[] }> {
    const file = join(folder, 'page.html');
    writeFileSync(file, text);
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, ...options });
    const trouble: string[] = [];
    page.on('request', (request) => {
      if (!/^(file|data):/.test(request.url())) trouble.push(request.url());
    });
    page.on('console', (message) => trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(error.message));
    await page.goto(pathToFileURL(file).href);
    return { page, trouble };
  }

  const light: BrowserContextOptions = { colorScheme: 'light' };
  const dark: BrowserContextOptions = { colorScheme: 'dark' };
  const phone = { viewport: { width: 360, height: 740 } };
  const report = () => htmlReport(brokenReport());
  const comparison = () =>
    matrixHtml(
      compareReports([
        { name: 'alpha', report: cleanReport() },
        { name: 'beta', report: failingReport() },
      ]),
    );

  test.each([
    ['the report in light', report, light],
    ['the report in the dark', report, dark],
    ['the report on a phone', report, { ...light, ...phone }],
    ['the report on a phone in the dark', report, { ...dark, ...phone }],
    ['the comparison in light', comparison, light],
    ['the comparison on a phone in the dark', comparison, { ...dark, ...phone }],
    ['the hostile report on a phone', () => htmlReport(hostileReport()), { ...light, ...phone }],
  ])('axe finds nothing in %s, and it does not overflow', async (_, text, options) => {
    const { page, trouble } = await open(text(), options);
    await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
    await page.evaluate(axe);
    const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as {
      violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
    };
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(trouble).toEqual([]);
    await page.close();
  });

  test('failures are open, everything else is not', async () => {
    const { page } = await open(htmlReport(failingReport()));
    expect(await page.locator('details.req[open] .id').allTextContents()).toEqual(['challenge.www-authenticate', 'expiry.refused-after']);
    expect(await page.locator('#r-challenge\\.www-authenticate mark').allTextContents()).toEqual(['requir', 'need']);
    expect(await page.locator('#r-expiry\\.refused-after svg[role=img]').getAttribute('aria-label')).toContain(
      '3. the clock moves forward by 45 min 5 s',
    );
    await page.close();
  });

  test('filter and search show what they say, by keyboard alone', async () => {
    const { page } = await open(htmlReport(failingReport()));
    const shown = page.locator('.req:visible');
    expect(await shown.count()).toBe(69);
    await page.keyboard.press('/');
    await page.keyboard.type('nonce-shape UUID');
    expect(await shown.locator('.id').allTextContents()).toEqual(['challenge.nonce-shape']);
    expect(await page.locator('.shown').textContent()).toBe('1 of 69 requirements are shown.');
    expect(await page.locator('.step:visible').count()).toBe(1);
    await page.locator('#search').fill('');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    expect(await shown.locator('.id').allTextContents()).toEqual(['challenge.www-authenticate', 'expiry.refused-after']);
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await shown.count()).toBe(0);
    expect(await page.locator('.shown').textContent()).toBe('0 of 69 requirements are shown.');
    await page.locator('#untested a').first().click();
    expect(await page.locator('#r-expiry\\.for-ever').getAttribute('open')).not.toBeNull();
    expect(await shown.count()).toBe(69);
    await page.close();
  });

  test('a requirement opens by keyboard', async () => {
    const { page } = await open(htmlReport(cleanReport()));
    await page.locator('#r-challenge\\.status > summary').focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('#r-challenge\\.status .inside').innerText()).toContain('Section 5 Step A');
    await page.close();
  });

  test('a script is copied, and that is said', async () => {
    const { page } = await open(htmlReport(failingReport()));
    await page.locator('#r-expiry\\.refused-after').getByRole('button', { name: 'Copy the replay command' }).press('Enter');
    await page.locator('#status', { hasText: 'Copied to the clipboard.' }).waitFor({ state: 'attached' });
    await page.locator('#search').focus();
    await page.keyboard.press('Control+V');
    expect(await page.locator('#search').inputValue()).toBe('hydrauth replay report.json expiry/refused-after');
    await page.close();
  });

  test('without scripts all is there, and nothing that would need one', async () => {
    const { page } = await open(htmlReport(failingReport()), { javaScriptEnabled: false });
    expect(await page.locator('.toolbar').isVisible()).toBe(false);
    expect(await page.locator('.copy:visible').count()).toBe(0);
    expect(await page.locator('.req:visible').count()).toBe(69);
    await page.close();
  });

  test('nothing from the target runs', async () => {
    const { page, trouble } = await open(htmlReport(hostileReport()));
    expect(await page.evaluate('globalThis.owned')).toBeUndefined();
    expect(await page.locator('main img, main script, main svg[onload]').count()).toBe(0);
    expect(await page.locator('#r-challenge\\.body .found').first().innerText()).toContain('<script>globalThis.owned = 1</script>');
    expect(trouble).toEqual([]);
    await page.close();
  });

  test('the comparison can be narrowed to what differs', async () => {
    const { page } = await open(comparison());
    expect(await page.locator('tr.row:visible').count()).toBe(71);
    await page.locator('#only').press('Space');
    expect(await page.locator('tr.row:visible').count()).toBe(6);
    expect(await page.locator('tr.group:visible').allTextContents()).toEqual([
      'Step A: challenge',
      'Step B: credential exchange',
      'Expiry of the token',
    ]);
    await page.close();
  });

  test('a real XML parser takes the JUnit report', async () => {
    const { page } = await open('<!doctype html><title>x</title>');
    for (const report of [brokenReport(), hostileReport()]) {
      const parsed = `(() => { const tree = new DOMParser().parseFromString(${JSON.stringify(junitReport(report))}, 'text/xml'); return [tree.querySelectorAll('parsererror').length, tree.querySelectorAll('testcase').length]; })()`;
      expect(await page.evaluate(parsed)).toEqual([0, 69]);
    }
    await page.close();
  });
});
