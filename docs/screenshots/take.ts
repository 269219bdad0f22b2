import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';

/** A picture: the window, the colours, and how the page comes to look as it should. */
export interface Picture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
  readonly show: (page: Page) => Promise<void>;
}

export const desk = { width: 1440, height: 900 };
export const phone = { width: 400, height: 800 };

/** Draws the pictures with the browser at this path and writes them into the folder. */
export async function takePictures(pictures: readonly Picture[], browserPath: string, folder: string): Promise<void> {
  const args = ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'];
  await using browser = await chromium.launch({ executablePath: browserPath, args });
  for (const { name, width, height, colorScheme, show } of pictures) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme });
    await show(page);
    await page.screenshot({ path: join(folder, `${name}.png`) });
    await page.close();
  }
}
