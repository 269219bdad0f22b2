import { describe, expect, test } from 'vitest';
import { faults } from '../../fixtures/index.js';
import { needs } from '../../fixtures/test/needs.js';
import { spec } from '../../spec/index.js';
import { inStep, rowsOf, useLivePage, user } from './live-page.js';

const program = needs('chromium');
const { headers, token: life } = spec.protocol;

describe.skipIf(program.skip)(`steering from the live page in Chromium${program.note}`, () => {
  const open = useLivePage(program.path);

  test('a fault is on for the next request and off by itself, a variant for all until it is switched off; groups are folded', async () => {
    const opened = await open();
    const { page, ask, server } = opened;
    await page.locator('#find-switch').fill('strangers forbidden 403');
    await page.getByRole('button', { name: 'fault challenge-403 for the next request' }).click();
    const chip = page.locator('#switched li', { hasText: 'challenge-403, next' });
    await chip.waitFor();
    expect(server.faults.on.map(({ id }) => id)).toEqual(['challenge-403']);
    expect((await ask('/books')).status).toBe(403);
    await chip.waitFor({ state: 'detached' });
    expect((await ask('/books')).status).toBe(spec.protocol.challenge.status);
    await inStep(opened);
    const [broken, usual] = await rowsOf(page);
    expect(broken).toMatch(/403 ?challenge-403/);
    expect(usual).not.toContain('challenge-403');
    await page.locator('#row-1').click();
    expect(await page.locator('#exchange').innerText()).toContain('On for this request: challenge-403.');

    await page.locator('#find-switch').fill('variant wrong-credentials-403');
    await page.getByRole('button', { name: 'variant wrong-credentials-403 for all requests' }).click();
    await page.locator('#switched li', { hasText: 'wrong-credentials-403, all' }).waitFor();
    const wrong = async () => {
      const nonce = (await ask('/books')).headers.get(headers.nonce) as string;
      return (await ask('/books', { [headers.nonce]: nonce, [headers.authorization]: `Basic ${btoa('1:wrong')}` })).status;
    };
    expect([await wrong(), await wrong()]).toEqual([403, 403]);
    await page.locator('#switched').getByRole('button', { name: 'Switch wrong-credentials-403 off' }).click();
    await page.locator('#switched li').waitFor({ state: 'detached' });
    expect(await wrong()).toBe(spec.protocol.challenge.status);

    await page.locator('#find-switch').fill('');
    const group = page.locator('[data-group=expiry]');
    expect(await page.locator('#switch-groups li').count()).toBe(0);
    await group.locator('summary').click();
    expect(await group.locator('li').count()).toBe(faults.filter(({ violates }) => violates[0]?.startsWith('expiry.')).length);
    await group.locator('summary').click();
    expect(await page.locator('#switch-groups li').count()).toBe(0);
    await page.locator('#find-switch').fill('token-once');
    await page.locator('#switch-groups li', { hasText: 'token-once' }).first().waitFor();
    await server.faults.use('token-once', { next: 3, method: 'HEAD' });
    await page.locator('#switched li', { hasText: 'token-once, next 3: HEAD' }).waitFor();
  });

  test('trouble is asked for in a form, shown while it is on and in the exchange that meets it, and cleared', async () => {
    const opened = await open();
    const { page, ask, server } = opened;
    const add = page.getByRole('button', { name: 'Add trouble' });
    const chips = page.locator('#troubled li');
    expect([await page.getByLabel('Late by ms').inputValue(), await page.getByLabel('Body').isVisible()]).toEqual(['2000', false]);
    await page.getByLabel('What').selectOption('429 with Retry-After');
    await page.getByLabel('Step').selectOption('C, token use');
    await page.locator('#trouble-user').fill('1');
    await page.getByLabel('Path').fill('/api/*');
    await page.getByLabel('Body').fill('slow down');
    await add.click();
    await chips.filter({ hasText: 'answered with 429, next: /api/* step C of user 1' }).waitFor();
    await page.getByLabel('What').selectOption('connection reset');
    await add.click();
    await page.getByLabel('Requests').fill('');
    await page.getByLabel('What').selectOption('no answer');
    await page.getByLabel('Step').selectOption('A, challenge');
    await page.locator('#trouble-user').fill('');
    await add.click();
    await chips.nth(2).waitFor();

    const token = { [headers.token]: await server.issueToken(user.id) };
    const limited = await ask('/books', token);
    expect([limited.status, limited.headers.get('retry-after'), await limited.text()]).toEqual([429, '5', 'slow down']);
    await expect(ask('/books', token)).rejects.toThrow('fetch failed');
    const held = ask('/books');
    await chips.filter({ hasText: 'never answered, all: /api/* step A' }).waitFor();
    await inStep(opened);
    await page.locator('#row-3').waitFor();
    expect(await rowsOf(page)).toEqual([
      expect.stringMatching(/^! 429 ?Trouble on demand: answered with 429\.$/),
      expect.stringMatching(/^! no answer ?Trouble on demand: connection reset\. Served: the token/),
      expect.stringMatching(/^! no answer ?Trouble on demand: never answered\. Challenged/),
    ]);
    expect(await page.locator('#row-3 .fro').count()).toBe(0);
    await page.getByRole('button', { name: 'Clear all' }).click();
    expect((await held).status).toBe(spec.protocol.challenge.status);
    await chips.first().waitFor({ state: 'detached' });
    await page.getByLabel('Path').fill('books');
    await add.click();
    await page.getByRole('alert').filter({ hasText: 'path: "books" is not allowed; a path such as /api/books' }).waitFor();
  });

  test('the clock moves by what is typed or to an instant, never back; living tokens are listed and can be ended', async () => {
    const { page, server, ask } = await open();
    const field = page.locator('#move-by');
    for (const [typed, ms] of [
      ['90 s', 90_000],
      ['1 h 30 min', 5_400_000],
      ['PT2H', 7_200_000],
      ['3', 180_000],
      ['2 days', 172_800_000],
    ] as const) {
      const before = server.clock.now();
      await field.fill(typed);
      await field.press('Enter');
      await page.locator('#clock-now', { hasText: new Date(before + ms).toISOString().slice(0, 19).replace('T', ' ') }).waitFor();
      expect([typed, server.clock.now() - before]).toEqual([typed, ms]);
    }
    for (const typed of ['soon', '3 mangos', 'P1M', '1999-01-01T00:00Z', '']) {
      await field.fill(typed);
      await field.press('Enter');
      await page
        .getByRole('alert')
        .filter({ hasText: `${JSON.stringify(typed)} is no duration and no later instant` })
        .waitFor();
    }
    await field.fill('2040-01-01T00:00Z');
    await field.press('Enter');
    await page.locator('.big', { hasText: '2040-01-01 00:00:00' }).waitFor();
    expect(server.clock.now()).toBe(Date.parse('2040-01-01T00:00Z'));
    await page.getByRole('button', { name: '+1 day' }).click();
    await page.locator('.big', { hasText: '2040-01-02 00:00:00' }).waitFor();
    await page.getByRole('button', { name: '+1 min' }).click();
    await page.locator('.big', { hasText: '2040-01-02 00:01:00' }).waitFor();

    const token = await server.issueToken(user.id);
    const item = page.locator('.tokens li', { hasText: 'Token 1 of user 1' });
    await item.waitFor();
    expect(await item.innerText()).toContain(`${life.lifetimeMs / 60_000} min left`);
    await item.getByRole('button', { name: 'End token 1' }).click();
    await item.waitFor({ state: 'detached' });
    expect((await ask('/books', { [headers.token]: token })).status).toBe(spec.protocol.challenge.status);
  });

  test('the three steps by hand, each with the request that it sends', async () => {
    const opened = await open();
    const { page, server, trouble } = opened;
    await page.getByRole('button', { name: 'Try the three steps' }).click();
    const step = (sign: string) => page.locator('form.step', { has: page.getByRole('button', { name: `Send step ${sign}` }) });
    expect(await step('B').getByRole('button').isDisabled()).toBe(true);
    expect(await step('C').locator('pre').innerText()).toContain(`${headers.token}: <the token of step B>`);

    await step('A').getByRole('button').click();
    await step('A').locator('output', { hasText: 'a nonce came' }).waitFor();
    await page.getByLabel('Paraphrase').fill('wrong');
    expect(await step('B').locator('pre').innerText()).toMatch(
      new RegExp(`${headers.nonce}: [0-9a-f-]{36}\\n${headers.authorization}: Basic base64\\(1:•+\\)`),
    );
    await step('B').getByRole('button').click();
    await step('B').locator('output', { hasText: 'no token came, but a new nonce' }).waitFor();
    await page.getByLabel('Paraphrase').fill(user.paraphrase);
    await page.keyboard.press('Enter');
    await step('B').locator('output', { hasText: 'a token came' }).waitFor();
    await step('C').getByRole('button').click();
    await step('C').locator('output', { hasText: '200: the collection was served' }).waitFor();
    await inStep(opened);
    const steps = server.recorded.filter(({ method }) => method === 'GET').map((each) => each.step);
    expect(steps).toEqual(['A', 'refused', 'B', 'C']);
    expect(trouble.filter((line) => !line.includes('401'))).toEqual([]);
  });
});
