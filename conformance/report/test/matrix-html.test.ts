import { describe, expect, test } from 'vitest';
import { needs } from '../../../fixtures/test/needs.js';
import { compareReports, matrixHtml } from '../index.js';
import { expectSound, looks, phone, useBrowser } from './browser.js';
import { hostile, hostileReport } from './hostile.js';
import { brokenReport, cleanReport, failingReport, rows } from './samples.js';

const program = needs('chromium');
const made = [cleanReport, failingReport, brokenReport];

/** So many services; the first of every three is conformant, the others are not. */
function comparison(services: number): string {
  const names = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu'.split(' ').slice(0, services);
  return matrixHtml(compareReports(names.map((name, index) => ({ name, report: (made[index % 3] as typeof cleanReport)() }))));
}

const twelve = comparison(12);

describe.skipIf(program.skip)(`in Chromium${program.note}`, () => {
  const open = useBrowser(program.path);

  test.each(looks)(
    'axe finds nothing %s, with a panel, it does not overflow, and nothing from the services runs',
    async (look, options) => {
      const spoilt = matrixHtml(compareReports([{ name: hostile, report: hostileReport() }]));
      const { page, trouble } = await open(look === 'in light' ? comparison(3) : spoilt, options);
      await page.locator('td.is-fail').first().click();
      await expectSound(page);
      expect([trouble, await page.evaluate('typeof globalThis.owned')]).toEqual([[], 'undefined']);
    },
  );

  test('twelve services and some thirty requirements are in view at 1440 by 900', async () => {
    const { page } = await open(twelve);
    const inView = `(() => {
      const region = document.querySelector('.scroll');
      const whole = (each) => { const { right, bottom } = each.getBoundingClientRect(); return right <= innerWidth && bottom <= innerHeight; };
      return {
        services: [...document.querySelectorAll('thead th + th')].filter(whole).length,
        requirements: [...document.querySelectorAll('tbody th')].filter(whole).length,
        hidden: region.scrollWidth - region.clientWidth,
        heights: [...new Set([...document.querySelectorAll('tbody tr:not(:first-child)')].map((each) => each.getBoundingClientRect().height))],
      };
    })()`;
    expect(await page.evaluate(inView)).toEqual({ services: 12, requirements: 28, hidden: 0, heights: [28] });
    expect(await page.locator('thead th').nth(2).innerText()).toBe('beta\nNot conformant\n2F 1W 6U');
    expect(await page.locator('tbody tr', { hasText: 'expiry.refused-after' }).locator('td').nth(1).innerText()).toContain('F');
  });

  test('services and requirements stay in sight when the table is scrolled', async () => {
    const { page } = await open(twelve, phone);
    await page.evaluate("document.querySelector('.scroll').scrollTo(300, 600)");
    const region = await page.locator('.scroll').boundingBox();
    const service = await page.locator('thead th').nth(7).boundingBox();
    const requirement = await page.locator('tbody th').nth(25).boundingBox();
    expect(Math.round((service?.y ?? 0) - (region?.y ?? 0))).toBe(1);
    expect(Math.round((requirement?.x ?? 0) - (region?.x ?? 0))).toBe(1);
  });

  test('it can be narrowed to what differs', async () => {
    const { page } = await open(twelve);
    const shown = page.locator('tbody tr:visible');
    expect(await shown.count()).toBe(rows);
    await page.locator('#only').press('Space');
    expect(await shown.locator('a').allTextContents()).toEqual([
      'expiry.refused-after',
      'challenge.www-authenticate',
      'exchange.id-spelling',
    ]);
    expect(await page.locator('.detail:visible').count()).toBe(3);
  });

  test('a click shows what a cell stands for, and Escape closes it', async () => {
    const { page } = await open(twelve);
    const cell = page.locator('tbody tr', { hasText: 'challenge.www-authenticate' }).locator('td').nth(4);
    await cell.click();
    const panel = page.getByRole('dialog', { name: 'challenge.www-authenticate MUST' });
    expect(await panel.locator('.chosen').innerText()).toMatch(/^epsilon failed\n.*Expected\nBasic realm="Login required"/s);
    expect(await panel.innerText()).toContain('passed: alpha, delta, eta, kappa');
    await page.keyboard.press('Escape');
    expect(await panel.count()).toBe(0);
    expect(await cell.evaluate('document.activeElement.cellIndex')).toBe(5);
  });

  test('the keyboard does the same: arrows, Enter, Escape, and the focus returns', async () => {
    const { page } = await open(twelve);
    await page.locator('tbody a', { hasText: 'expiry.refused-after' }).focus();
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    const panel = page.locator('.panel');
    expect(await panel.locator('.chosen h4').innerText()).toBe('beta failed');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await panel.count()).toBe(0);
    expect(await page.evaluate('document.activeElement.cellIndex')).toBe(2);
    for (const key of ['ArrowLeft', 'ArrowLeft', 'Enter', 'Escape']) await page.keyboard.press(key);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('challenge.www-authenticate');
  });

  test('without scripts a requirement leads to what it stands for', async () => {
    const { page } = await open(twelve, { javaScriptEnabled: false });
    expect(await page.locator('.only:visible, #close:visible').count()).toBe(0);
    await page.locator('tbody a', { hasText: 'expiry.refused-after' }).click();
    expect((await page.locator('.detail#r-expiry\\.refused-after').boundingBox())?.y).toBeLessThan(100);
  });

  test('all columns fit on paper', async () => {
    const { page } = await open(twelve, { viewport: { width: 1000, height: 700 } });
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });
});
