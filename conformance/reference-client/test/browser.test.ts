import { createServer } from 'node:http';
import { build as esbuild } from 'esbuild';
import { chromium } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { needs, quietChromium } from '../../../fixtures/test/needs.js';
import { manualClock, startReferenceServer } from '../../../reference-server/index.js';
import { packageFile } from '../../../spec/index.js';
import { listening } from '../../../spec/test/listening.js';

const entry = packageFile('conformance', 'reference-client', 'index.ts');
const mostOctets = 8000;
const program = needs('chromium');

/** Each makes one file that sets the global `client`, and fails on a module of Node.js. */
const bundlers: Readonly<Record<string, () => Promise<string>>> = {
  async esbuild() {
    const options = { bundle: true, minify: true, write: false, format: 'iife', globalName: 'client', platform: 'browser' } as const;
    const { outputFiles } = await esbuild({ ...options, entryPoints: [entry] });
    return outputFiles[0]?.text ?? '';
  },
  async Vite() {
    const { build } = await import('vite');
    const lib = { entry, formats: ['iife'] as 'iife'[], name: 'client' };
    const built = await build({ configFile: false, logLevel: 'error', build: { write: false, minify: true, lib } });
    const [first] = [built].flat();
    const [chunk] = first !== undefined && 'output' in first ? first.output : [];
    return chunk?.type === 'chunk' ? chunk.code : '';
  },
};

describe.each(Object.entries(bundlers))('bundled by %s', (_, bundle) => {
  let code: string;
  beforeAll(async () => {
    code = await bundle();
  });

  test('is small and has no module of Node.js', () => {
    expect(code).toContain('HYDRAUTH_LOGIN_REFUSED');
    expect(code).not.toMatch(/node:|require\(|__vite-browser-external/);
    expect(Buffer.byteLength(code)).toBeLessThan(mostOctets);
  });

  test.skipIf(program.skip)(`logs in, and again after expiry, on a page of another origin${program.note}`, async () => {
    const clock = manualClock();
    const paraphrase = 'smörgåsbord på 北京 ☃';
    await using server = await startReferenceServer({ clock, collections: ['books'], users: [{ id: 3, paraphrase }] });
    const pages = createServer((_, res) => res.setHeader('Content-Type', 'text/html').end('<!doctype html><title>another origin</title>'));
    await using elsewhere = await listening(pages);
    const browser = await chromium.launch({ executablePath: program.path, args: quietChromium });
    try {
      const page = await browser.newPage();
      await page.goto(elsewhere.url);
      await page.addScriptTag({ content: code });
      await page.evaluate(`api = client.hydraClient(${JSON.stringify({ baseUrl: server.url, user: 3, paraphrase })})`);
      const read = () => page.evaluate("api.fetch('books').then(async (answer) => [answer.status, (await answer.json())['@type']])");
      expect(await read()).toEqual([200, 'hydra:Collection']);
      clock.advance({ minutes: 45 });
      expect(await read()).toEqual([200, 'hydra:Collection']);
      const wrong = { baseUrl: server.url, user: 3, paraphrase: 'wrong' };
      const refused = `client.hydraClient(${JSON.stringify(wrong)}).fetch('books').catch(({ code }) => code)`;
      expect(await page.evaluate(refused)).toBe('HYDRAUTH_LOGIN_REFUSED');
    } finally {
      await browser.close();
    }
  });
});
