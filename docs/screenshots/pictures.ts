import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

/** The pictures of a page: its name, the window, the colours, and what is clicked first. */
const pictures = [
  { name: 'report', page: 'report', width: 1440, height: 900, colorScheme: 'light' },
  { name: 'report-phone', page: 'report', width: 400, height: 800, colorScheme: 'dark' },
  { name: 'matrix', page: 'matrix', width: 1440, height: 900, colorScheme: 'light' },
  { name: 'matrix-panel', page: 'matrix', width: 1440, height: 900, colorScheme: 'dark', click: 'td.is-fail' },
  { name: 'matrix-phone', page: 'matrix', width: 400, height: 800, colorScheme: 'light' },
] as const;

export const pictureFiles = pictures.map(({ name }) => `${name}.png`);

/** Draws the pages with the browser at this path and writes the pictures into the folder. */
export async function takePictures(
  pages: { report: string; matrix: string },
  browserPath: string,
  work: string,
  folder: string,
): Promise<void> {
  await using browser = await chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'],
  });
  for (const { name, page: which, width, height, colorScheme, ...more } of pictures) {
    const file = join(work, `${which}.html`);
    writeFileSync(file, pages[which]);
    const page = await browser.newPage({ viewport: { width, height }, colorScheme });
    await page.goto(pathToFileURL(file).href);
    if ('click' in more) await page.locator(more.click).first().click();
    await page.screenshot({ path: join(folder, `${name}.png`) });
    await page.close();
  }
}
