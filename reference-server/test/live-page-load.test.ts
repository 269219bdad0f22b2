import { describe, expect, test } from 'vitest';
import { needs } from '../../fixtures/test/needs.js';
import { spec } from '../../spec/index.js';
import { useLivePage, user } from './live-page.js';

const program = needs('chromium');
const { headers } = spec.protocol;
const exchanges = 1000;
const connections = 8;

describe.skipIf(program.skip)(`the live page under load in Chromium${program.note}`, () => {
  const open = useLivePage(program.path);

  test(`of ${exchanges} exchanges the page draws only what is in view, and finds each`, async () => {
    const { page, server, trouble } = await open({}, { recordLast: exchanges });
    const token = await server.issueToken(user.id);
    const hammer = async () => {
      for (let count = 0; count < exchanges / connections; count += 1)
        await (await fetch(`${server.url}/books`, { headers: { [headers.token]: token } })).arrayBuffer();
    };
    await Promise.all(Array.from({ length: connections }, hammer));
    await page.locator(`#row-${exchanges}`).waitFor();
    expect(await page.locator('#count').innerText()).toBe('1,000 exchanges');
    expect(await page.locator('.row').count()).toBeLessThan(60);
    await page.locator('#list').focus();
    for (const key of ['Home', 'PageDown', 'End', 'PageUp', 'ArrowUp']) {
      await page.keyboard.press(key);
      expect(await page.locator('.row').count(), key).toBeLessThan(60);
    }
    await page.locator('#search').fill('#999');
    await page.getByText('1 of 1,000 exchanges').waitFor();
    await page.locator('#search').fill('');
    await page.getByLabel('Token', { exact: true }).check();
    await page.getByText('1,000 exchanges', { exact: true }).waitFor();
    expect(trouble).toEqual([]);
  });
});
