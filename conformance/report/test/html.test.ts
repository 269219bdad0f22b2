import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { needs } from '../../../fixtures/test/needs.js';
import { htmlReport, junitReport, makeReport, terminalReport } from '../index.js';
import { expectSound, looks, phone, useBrowser } from './browser.js';
import { hostileReport } from './hostile.js';
import { brokenReport, cleanReport, failingReport, input, rows } from './samples.js';

const program = needs('chromium');
const failing = htmlReport(failingReport());

test('the page is one file that loads nothing', () => {
  const text = htmlReport(brokenReport());
  expect(text).not.toMatch(/ (src|srcset|style|on[a-z]+)=|@import|url\(/);
  expect(text).toContain("default-src 'none'; style-src 'sha256-");
});

test('the command that replays a failure names the report in JSON, or how to write one', () => {
  expect(htmlReport(failingReport(), { json: 'out/my report.json' })).toContain('hydrauth replay &#39;out/my report.json&#39; expiry/');
  expect(htmlReport(failingReport(), { json: 'out/a.json' })).not.toContain('--json');
  expect(htmlReport(failingReport())).toMatch(
    /Add --json report\.json to the command of the run\. Then:<\/p>.*hydrauth replay report\.json expiry\//,
  );
});

test('the findings stand in the order of the terminal, the worst first', () => {
  const ids = (text: string, each: RegExp) => [...text.matchAll(each)].map(([, id]) => id);
  const first = ids(terminalReport(failingReport()), /^\d+\. (\S+)/gm);
  expect(first.length).toBeGreaterThan(2);
  expect(ids(htmlReport(failingReport()), /<article class="finding [^"]*" id="r-([^"]+)"/g)).toEqual(first);
});

test('what is zero is not counted', () => {
  const text = htmlReport(cleanReport());
  expect(text).not.toMatch(/<b>0<\/b>|href="#fail"/);
  expect(text).toContain('No failure and no warning.');
});

test('a run without a verdict does not say that nothing was found', () => {
  const text = htmlReport(makeReport(input({ findings: [], error: 'Nothing answers at http://127.0.0.1:8080/api.' })));
  expect(text).toMatch(/<h1 class="is-fail">.*No verdict<\/h1>\s*<p class="lead">Nothing answers at/);
  expect(text).not.toContain('What was found');
});

describe.skipIf(program.skip)(`in Chromium${program.note}`, () => {
  const open = useBrowser(program.path);
  const box = async (of: Locator) => (await of.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };

  test.each(looks.map(([look, options], index) => [look, index === 0 ? brokenReport : hostileReport, options] as const))(
    'axe finds nothing %s, unfolded, it does not overflow, and nothing from the target runs',
    async (_, report, options) => {
      const { page, trouble } = await open(htmlReport(report()), options);
      await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
      await expectSound(page);
      expect([trouble, await page.evaluate('typeof globalThis.owned')]).toEqual([[], 'undefined']);
      expect(await page.locator('main img, main script, main svg[onload]').count()).toBe(0);
      expect((await page.locator('main').innerText()).includes('<script>globalThis.owned = 1</script>')).toBe(report === hostileReport);
    },
  );

  test('opens on what failed, with its diagram, which fits a phone and marks the answer; what was given to the run comes last', async () => {
    const { page } = await open(failing, phone);
    expect(await page.locator('h2, h3').allTextContents()).toEqual([
      ...['What was found', 'Failures (2)', 'Warnings (1)', 'The other requirements', 'Untested (6)', `Passed (${rows - 9})`],
      ...['Observations', 'Entries for a baseline', 'The protocol, clause by clause', 'About this run'],
    ]);
    expect(await page.locator('.finding h4').allTextContents()).toEqual([
      'expiry.refused-afterMUSTfailed 3 of 40 times',
      'challenge.www-authenticateMUSTfailed 646 of 646 times',
      'exchange.id-spellingSHOULDfailed 2 of 9 times',
    ]);
    expect((await box(page.locator('.finding').first())).y).toBeLessThan(700);
    expect(await page.locator('.group[open], .req[open], .more[open]').count()).toBe(0);
    expect(await page.locator('#run .pairs').innerText()).toMatch(/Users\n1, 2\n/);
    expect(await page.locator('.drawing[open]').count()).toBe(2);
    const drawing = page.locator('#r-expiry\\.refused-after .drawing');
    const steps = await drawing.locator('li').allInnerTexts();
    expect(steps.map((step) => step.split('\n')[0])).toEqual([
      ...['1. GET /api/things', '401 Unauthorized', '2. GET /api/things', '200 OK'],
      ...['3. the clock moves forward by 45 min 5 s', '4. GET /api/things', 'violates the requirement'],
    ]);
    expect(await drawing.locator('.offending').count()).toBe(1);
    expect(steps.at(-1)).toContain('200 OK');
    const overflow = "Math.max(...[...document.querySelectorAll('.drawing')].map((each) => each.scrollWidth - each.clientWidth))";
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
  });

  test('expected and actual stand side by side, and below each other on a phone', async () => {
    for (const [options, beside] of [[{}, true] as const, [phone, false] as const]) {
      const { page } = await open(failing, options);
      const sides = page.locator('#r-challenge\\.www-authenticate .versus > div');
      const [expected, actual] = [await box(sides.nth(0)), await box(sides.nth(1))];
      expect(actual.x > expected.x).toBe(beside);
      expect(actual.y > expected.y).toBe(!beside);
      expect(await sides.locator('mark').allTextContents()).toEqual(['requir', 'need']);
    }
  });

  test('in a long chain the middle is left out, never its end', async () => {
    const report = failingReport();
    const requirements = report.requirements.map((row) => ({
      ...row,
      checks: row.checks.map((check) => ({ ...check, exchanges: check.exchanges.flatMap((link) => Array(6).fill(link)) })),
    }));
    const { page } = await open(htmlReport({ ...report, requirements }));
    const steps = page.locator('#r-expiry\\.refused-after .drawing li');
    expect(await steps.filter({ hasText: 'left out' }).allInnerTexts()).toEqual(['14 steps are left out here']);
    expect(await steps.last().getAttribute('class')).toContain('offending');
  });

  test('search unfolds what it finds, by keyboard alone', async () => {
    const { page } = await open(failing);
    const shown = page.locator('.req:visible .id');
    expect(await shown.count()).toBe(0);
    await page.keyboard.press('/');
    await page.keyboard.type('nonce-shape UUID must');
    expect(await shown.allTextContents()).toEqual(['challenge.nonce-shape']);
    expect(await page.locator('.shown').textContent()).toBe(`1 of ${rows} requirements`);
    expect(await page.locator('.group:visible').count()).toBe(1);
    for (const key of ['Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    expect(await page.locator('#r-challenge\\.nonce-shape dl').innerText()).toContain('2.2 A nonce has the shape of a UUID.');
    await page.locator('#search').fill('');
    expect(await shown.count()).toBe(0);
  });

  test('a list of the findings stands on top, leads to each, and is filtered with them', async () => {
    const { page } = await open(failing, phone);
    const listed = page.locator('.index li:visible');
    expect((await listed.allInnerTexts()).map((text) => text.replaceAll('\n', ' '))).toEqual([
      'expiry.refused-after MUST status 200 and the collection failed 3 of 40 times',
      'challenge.www-authenticate MUST Basic realm="Login needed" failed 646 of 646 times',
      'exchange.id-spelling SHOULD status 200 and a token failed 2 of 9 times',
    ]);
    await page.locator('#search').fill('realm should');
    expect(await listed.count()).toBe(0);
    await page.locator('#search').fill('realm must');
    expect([await listed.count(), await page.locator('.finding:visible').count()]).toEqual([1, 1]);
    await listed.locator('a').click();
    expect((await box(page.locator('.finding:visible'))).y).toBeLessThan(100);
    await page.locator('#search').fill('');
    await page.locator('#outcome').selectOption('warn');
    expect(await page.locator('.finding:visible .id').allInnerTexts()).toEqual(['exchange.id-spelling']);
    expect([await listed.count(), await page.locator('.part:visible').count()]).toEqual([1, 1]);
    expect(await page.locator('.shown').textContent()).toBe(`1 of ${rows} requirements`);
  });

  test('a finding says how often it failed, by which checks, and which connection each request used after what; a clause leads to its text, and that back', async () => {
    const { page } = await open(failing);
    const finding = page.locator('#r-expiry\\.refused-after');
    expect(await finding.locator('h4 .rate').innerText()).toBe('failed 3 of 40 times');
    expect(await finding.locator('.chain small').allInnerTexts()).toEqual([
      'on connection 7, after 12 other requests, the last: GET /api/things with X-Authentication, Authorization',
    ]);
    await finding.locator('summary', { hasText: 'The exchanges in full' }).press('Enter');
    expect(await finding.locator('.wire ul').innerText()).toBe('GET /api/things with X-Authentication, Authorization');
    await finding.locator('summary', { hasText: '2 checks' }).click();
    expect(await finding.locator('.checks li').allInnerTexts()).toEqual([
      'failed expiry/refused-after (laws)',
      'passed expiry: refused after (postman)',
    ]);
    await finding.locator('dl a', { hasText: '5.C.3' }).click();
    const clause = page.locator('tr:target');
    expect(await clause.innerText()).toContain('The token is valid for 45 minutes.');
    await clause.locator('a', { hasText: 'expiry.valid-until' }).click();
    expect(await page.locator('#r-expiry\\.valid-until dl').isVisible()).toBe(true);
  });

  test('a script is copied, and that is said', async () => {
    const { page } = await open(failing);
    const finding = page.locator('#r-expiry\\.refused-after');
    await finding.locator('summary', { hasText: 'Repeat it' }).press('Enter');
    await finding.getByRole('button', { name: 'Copy the replay command' }).press('Enter');
    await page.locator('#status', { hasText: 'Copied to the clipboard.' }).waitFor({ state: 'attached' });
    await page.locator('#search').focus();
    await page.keyboard.press('Control+V');
    expect(await page.locator('#search').inputValue()).toBe('hydrauth replay report.json expiry/refused-after');
  });

  test('without scripts all is there, and nothing that would need one', async () => {
    const { page } = await open(failing, { javaScriptEnabled: false });
    expect(await page.locator('.search:visible, .copy:visible').count()).toBe(0);
    await page.locator('.group > summary', { hasText: 'Step A' }).click();
    expect(await page.locator('.req:visible').count()).toBe(5);
  });

  test('on paper nothing is folded that a reader counts on, and nothing asks for a click', async () => {
    const { page } = await open(failing);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.req:visible').count()).toBe(rows - 3);
    expect(await page.locator('.search:visible, .folds summary:visible').count()).toBe(0);
  });

  test('a real XML parser takes the JUnit report', async () => {
    const { page } = await open('<!doctype html><title>x</title>');
    for (const report of [brokenReport(), hostileReport()]) {
      const parsed = `(() => { const tree = new DOMParser().parseFromString(${JSON.stringify(junitReport(report))}, 'text/xml'); return [tree.querySelectorAll('parsererror').length, tree.querySelectorAll('testcase').length]; })()`;
      expect(await page.evaluate(parsed)).toEqual([0, rows]);
    }
  });
});
