import { describe, expect, test } from 'vitest';
import { needs } from '../../fixtures/test/needs.js';
import { spec } from '../../spec/index.js';
import { useLivePage, user } from './live-page.js';

const program = needs('chromium');
const { headers } = spec.protocol;
const exchanges = 10_000;
const connections = 8;

describe.skipIf(program.skip)(`the live page under load in Chromium${program.note}`, () => {
  const open = useLivePage(program.path);

  test(`${exchanges} exchanges: the page stays quick, and draws only what is in view`, async () => {
    const { page, server, trouble } = await open({}, { recordLast: exchanges });
    const token = await server.issueToken(user.id);
    const devtools = await page.context().newCDPSession(page);
    // The clock on the wall would also measure what else the machine does.
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    /** What the page's main thread spent on scripts, layout and painting, in milliseconds of the processor. */
    const costMs = async (work: () => Promise<void>) => {
      const spent = async () =>
        (await devtools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
      const before = await spent();
      await work();
      return ((await spent()) - before) * 1000;
    };
    const beganMs = performance.now();
    const arriving = await costMs(async () => {
      const hammer = async () => {
        for (let count = 0; count < exchanges / connections; count += 1)
          await (await fetch(`${server.url}/books`, { headers: { [headers.token]: token } })).arrayBuffer();
      };
      await Promise.all(Array.from({ length: connections }, hammer));
      await page.locator(`#row-${exchanges}`).waitFor();
    });
    expect(arriving / (performance.now() - beganMs), 'part of a processor while they arrive').toBeLessThan(0.5);
    expect(await page.locator('#count').innerText()).toBe('10,000 exchanges');
    expect(await page.locator('.row').count()).toBeLessThan(60);
    await page.locator('#list').focus();
    const uses: (() => Promise<unknown>)[] = [
      ...['Home', 'PageDown', 'End', 'PageUp', 'ArrowUp'].map((key) => () => page.keyboard.press(key)),
      () => page.locator('#search').fill('connection:3'),
      () => page.locator('#search').fill('#9999'),
      () => page.getByText('1 of 10,000 exchanges').waitFor(),
      () => page.locator('#search').fill(''),
      () => page.getByLabel('Token', { exact: true }).check(),
      () => page.getByText('10,000 exchanges', { exact: true }).waitFor(),
    ];
    const using = await costMs(async () => {
      for (const use of uses) await use();
    });
    expect(using / uses.length, 'milliseconds for each use').toBeLessThan(60);
    expect(trouble).toEqual([]);
  });
});
