import { describe, expect, test } from 'vitest';
import { expectSound, looks } from '../../conformance/report/test/browser.js';
import { needs } from '../../fixtures/test/needs.js';
import { spec } from '../../spec/index.js';
import type { RecordedExchange } from '../index.js';
import { inStep, rowsOf, useLivePage, user } from './live-page.js';
import { rawText } from './support.js';

const program = needs('chromium');
const { headers } = spec.protocol;
const exchanges = 1000;

describe.skipIf(program.skip)(`the live page in Chromium${program.note}`, () => {
  const open = useLivePage(program.path);

  test('a client logs in, is refused after the clock moved and logs in again, and each exchange is decoded with its reason', async () => {
    const opened = await open();
    const { page, server, client, trouble } = opened;
    expect(await page.locator('#nothing').innerText()).toContain(`Point your client at ${server.url}`);
    const { fetch } = client();
    await fetch('books');
    await inStep(opened);
    const detail = page.locator('#exchange');
    const brought = detail.locator('.pairs');
    await page.locator('.tokens li', { hasText: 'Token 1 of user 1' }).waitFor();
    await page.locator('#row-2').click();
    expect(await brought.innerText()).toMatch(/nonce 1\s*opens/);
    expect(await brought.locator('code').innerText()).toBe('1:••••••••');
    expect(await detail.innerText()).not.toContain(user.paraphrase);
    await page.locator('#row-3').click();
    expect(await brought.locator('.life').innerText()).toMatch(/0 ms old\s*45 min left/);
    await page.locator('#move-by').fill('15 min');
    await page.keyboard.press('Enter');
    await brought.locator('.life', { hasText: '30 min left' }).waitFor();
    expect(await brought.locator('.bar').getAttribute('style')).toContain('--over: 33.3%');

    await page.getByRole('button', { name: '1 s before its end' }).click();
    await page.getByText('The oldest living token ends in 1 s.').waitFor();
    await fetch('books');
    await page.getByRole('button', { name: 'To its end' }).click();
    await page.getByText('No token lives.').waitFor();
    await fetch('people/2');
    await inStep(opened);
    expect(await rowsOf(page)).toEqual([
      expect.stringMatching(/^A 401 ?Challenged: it carries neither a token nor a nonce/),
      expect.stringMatching(/^B 200 ?A token is given: nonce and credentials of user 1 are good/),
      expect.stringMatching(/^C 200 ?Served: the token of user 1 is valid, 45 minutes left/),
      'the clock moved on by 44 min 59 s',
      expect.stringMatching(/^C 200 ?Served: the token of user 1 is valid, 1 second left/),
      'the clock moved on by 1 s',
      expect.stringMatching(/^✗ 401 ?Refused: the token end/),
      expect.stringMatching(/^B 200 ?A token is given/),
      expect.stringMatching(/^C 200 ?Served/),
    ]);

    await page.locator('.row.is-fail').click();
    expect(await detail.locator('.followed .rule').innerText()).toMatch(/^Rule 2\s*followed\s*Neither a valid token nor/);
    const failed = detail.locator('.why li.is-fail', { hasText: 'has not expired' });
    expect(await failed.locator('.sign').getAttribute('aria-label')).toBe('no');
    const id = failed.locator('.requirement').first();
    await id.locator('summary').click();
    const row = spec.catalogue.requirement(await id.locator('summary').innerText());
    expect(await id.locator('p').innerText()).toBe(`${row.level} ${row.statement}`);
    await server.expire({ token: 2 });
    await page.getByText('No token lives.').waitFor();
    expect(trouble).toEqual([]);
  });

  test('with the clock of the system the bar runs by itself, and the page says how to have one that can be moved', async () => {
    const opened = await open({}, { clock: 'system' });
    const { page, client } = opened;
    await client().fetch('books');
    await inStep(opened);
    await page.locator('#exchange .life', { hasText: /44 min 5\d s left/ }).waitFor();
    expect(await page.getByText('--clock manual').isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: '+1 min' }).isVisible()).toBe(false);
  });

  test('it says when each answer came, also while the clock stands still; steering takes its place where it is narrow; it waits and is emptied', async () => {
    const opened = await open();
    const { page, ask, server } = opened;
    const token = await server.issueToken(user.id);
    await ask('/nothing-here', { [headers.token]: token });
    await inStep(opened);
    const { wallMs, tookMs, reason } = server.recorded[0] as RecordedExchange;
    const time = new Date(wallMs).toISOString().slice(11, 23);
    const took = tookMs < 1 ? '<1 ms' : `${tookMs} ms`;
    expect(await page.locator('#row-1').innerText()).toMatch(new RegExp(`^${time}\\s+#1 · ${took}\\s`));
    expect(await page.locator('#exchange header').innerText()).toContain(
      `Answered at ${time} UTC, after ${took}. The server's clock stood at`,
    );
    expect(await page.locator('#now').innerText()).toMatch(/UTC, standing still$/);
    expect(await page.getByText('It stands still until you move it.').isVisible()).toBe(true);
    expect(reason).toMatch(/^Let in, but there is no resource at this address: the token of user 1 is valid/); // and no "404 Served"
    expect(await rowsOf(page)).toEqual([expect.stringMatching(/^C 404 ?Let in, but there is no resource/)]);

    await page.setViewportSize({ width: 1000, height: 800 });
    const shown = async () => [await page.locator('#exchange').isVisible(), await page.locator('#side').isVisible()];
    expect(await shown()).toEqual([true, false]);
    await page.getByRole('button', { name: 'Steer' }).click();
    expect(await shown()).toEqual([false, true]);
    await page.locator('#row-1').click();
    expect(await shown()).toEqual([true, false]);
    await expectSound(page);

    await page.keyboard.press('p');
    await ask('/books');
    await page.getByRole('button', { name: 'Resume (1 new)' }).waitFor();
    expect(await page.locator('.row').count()).toBe(1);
    await page.keyboard.press('p');
    await page.locator('#row-2').waitFor();
    await server.reset();
    await page.getByText('Nothing was asked yet').waitFor();
    expect(await page.locator('.row').count()).toBe(0);
  });

  test('it is used with the keyboard alone; lanes are connections or tokens, and whoever finds none free is drawn beside them', async () => {
    const opened = await open();
    const { page, client, server } = opened;
    await client().fetch('books');
    await client().fetch('people');
    await inStep(opened);
    expect(await page.getByLabel('Legend').innerText()).toMatch(/A challenge\s+B exchange\s+C token use\s.*\s! trouble on demand/s);
    await page.keyboard.press('?');
    expect(await page.locator('#keys').innerText()).toMatch(/p\s+pause and resume/);
    await page.keyboard.press('Escape');
    expect(await page.locator('#keys').isVisible()).toBe(false);
    await page.keyboard.press('/');
    await page.keyboard.type('books');
    expect(await page.locator('#count').innerText()).toBe('3 of 6 exchanges');
    await page.keyboard.press('Escape');
    await page.locator('#search').fill('');
    await page.locator('#list').focus();
    await page.keyboard.press('Home');
    expect(await page.locator('#exchange h2').innerText()).toBe('GET /api/books');
    expect(await page.locator('#list').getAttribute('aria-activedescendant')).toBe('row-1');
    for (const [key, row] of [
      ['ArrowDown', 'row-2'],
      ['End', 'row-6'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await page.locator('.row[aria-selected=true]').getAttribute('id')).toBe(row);
    }

    const lanes = async () => {
      const rows = await page.locator('.row').all();
      const places = rows.map(async (row) => [
        await row.locator('.lane').innerText(),
        /--at: (\d+)/.exec((await row.getAttribute('style')) ?? '')?.[1],
      ]);
      return (await Promise.all(places)) as [string, string][];
    };
    await page.getByLabel('Token', { exact: true }).check();
    expect((await lanes()).map(([name]) => name)).toEqual(['–', '1', '1', '–', '2', '2']);
    await page.getByLabel('Connection', { exact: true }).check();
    for (let count = 0; count < 8; count += 1) await fetch(`${server.url}/books`, { headers: { Connection: 'close' } });
    await inStep(opened);
    const seen = await lanes();
    expect(seen.map(([name]) => Number(name))).toEqual(server.recorded.map(({ connection }) => connection));
    const lent = seen.filter(([, column]) => column !== '5'); // the last one is nobody's
    expect(new Set(lent.map(String)).size).toBe(5);
    expect(new Set(lent.map(([, column]) => column)).size).toBe(5);
    expect(await page.locator('.row .lane.shared').count()).toBe(seen.length - lent.length);
  });

  test(`of ${exchanges} exchanges the page draws only what is in view, and finds each`, async () => {
    const { page, server, trouble } = await open({}, { recordLast: exchanges });
    const token = await server.issueToken(user.id);
    const request = `GET /api/books HTTP/1.1\r\nHost: x\r\n${headers.token}: ${token}\r\n`;
    await page.goto('about:blank'); // to tell and draw each as it comes would take most of the time
    await rawText(server.url, `${`${request}\r\n`.repeat(exchanges - 1)}${request}Connection: close\r\n\r\n`);
    await page.goto(server.page as string);
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

  test.each(looks)('axe finds nothing, and nothing is wider than the window, %s', async (_, look) => {
    const opened = await open(look);
    const { page, client, server, trouble } = opened;
    const narrow = (look.viewport?.width ?? 0) < 960;
    await client().fetch('books');
    await server.faults.use('challenge-403', { next: 1 });
    await opened.ask('/books', { [headers.token]: 'f00' });
    server.troubles.use({ status: 503 });
    await opened.ask('/books');
    await inStep(opened);
    await expectSound(page);
    for (const show of narrow ? ['exchange', 'steer', 'try'] : ['try']) {
      await page.locator(`.views [data-show=${show}]`).click();
      await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
      await expectSound(page);
    }
    expect(trouble).toEqual([]);
  });
});
