import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expectSound } from '../../conformance/report/test/browser.js';
import { run } from '../../conformance/test/installing.js';
import { isFull } from '../../fixtures/test/depth.js';
import { needs } from '../../fixtures/test/needs.js';
import { packageFile, spec } from '../../spec/index.js';
import { inStep, type Opened, useLivePage, user } from './live-page.js';
import { everyKind } from './live-page-kinds.js';

const program = needs('chromium');
const curl = needs('curl');
const python = needs('python3-pytest');

/** What the button copies of every exchange. */
async function copied({ page, server }: Opened, name: string): Promise<string[]> {
  const texts: string[] = [];
  await page.locator('#list').focus();
  await page.keyboard.press('Home');
  for (const { number } of server.recorded) {
    await page.locator(`#exchange header`, { hasText: `exchange ${number} ·` }).waitFor();
    await page.getByRole('button', { name: `Copy as ${name}` }).click();
    texts.push((await page.getByLabel('What was copied').textContent()) ?? '');
    await page.locator('#list').focus();
    await page.keyboard.press('ArrowDown');
  }
  return texts;
}

/** A folder in which copied tests find the kit, from its sources. */
function folderOf(texts: readonly string[], name: (index: number) => string): string {
  const folder = mkdtempSync(join(tmpdir(), 'hydrauth-copied-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const kit = pathToFileURL(packageFile('fixtures', 'reference-server.ts')).href;
  for (const [index, text] of texts.entries()) writeFileSync(join(folder, name(index)), text.replace('hydrauth/reference-server', kit));
  mkdirSync(join(folder, 'node_modules'));
  for (const each of ['vitest', 'tsx']) symlinkSync(packageFile('node_modules', each), join(folder, 'node_modules', each));
  return folder;
}

describe.skipIf(program.skip)(`taking exchanges from the live page in Chromium${program.note}`, () => {
  const open = useLivePage(program.path);

  test('an exchange is copied as a test for node:test, which passes', { timeout: 120_000 }, async () => {
    const opened = await open();
    await everyKind(opened);
    await inStep(opened);
    const texts = await copied(opened, 'node:test');
    expect(texts.join()).not.toContain(user.paraphrase);
    const folder = folderOf(texts, (index) => `copied-${index}.test.mjs`);
    const all = texts.map((_, index) => `import './copied-${index}.test.mjs';`).join('\n');
    writeFileSync(join(folder, 'all.mjs'), all);
    const { code, text } = await run(process.execPath, ['--import', 'tsx', '--test-reporter=tap', 'all.mjs'], folder);
    expect(text).toContain(`# pass ${texts.length}\n`);
    expect(code).toBe(0);
  });

  test.runIf(isFull)('and for Vitest', { timeout: 120_000 }, async () => {
    const opened = await open();
    await everyKind(opened);
    await inStep(opened);
    const texts = await copied(opened, 'Vitest');
    const folder = folderOf(texts, (index) => `copied-${index}.mjs`);
    writeFileSync(join(folder, 'all.test.mjs'), texts.map((_, index) => `import './copied-${index}.mjs';`).join('\n'));
    const { code, text } = await run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run'], folder);
    expect(text).toContain(`${texts.length} passed`);
    expect(code).toBe(0);
  });

  test.skipIf(python.skip)(`and for pytest${python.note}`, { timeout: 120_000 }, async () => {
    const opened = await open();
    await everyKind(opened);
    await inStep(opened);
    const texts = await copied(opened, 'pytest');
    expect(texts.join()).not.toContain(user.paraphrase);
    const command = [process.execPath, '--import', pathToFileURL(packageFile('node_modules/tsx/dist/esm/index.mjs')).href];
    const started = [...command, packageFile('conformance/cli/main.ts')].map((word) => JSON.stringify(word)).join(', ');
    // A process of Node.js for each test takes long; these differ most.
    const chosen = texts.filter((text) =>
      /401: Refused: the (token end|nonce was spent)|: A token is given|is answered with 403/.test(text),
    );
    expect(chosen.length).toBe(5);
    const folder = folderOf(
      chosen.map((text) => text.replace('"npx", "hydrauth"', started)),
      (index) => `test_copied_${index}.py`,
    );
    const { code, text } = await run(python.path, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', folder], folder);
    expect(text).toContain(`${chosen.length} passed`);
    expect(code).toBe(0);
  });

  test.skipIf(curl.skip)(`and as a curl command with places for the secrets${curl.note}`, async () => {
    const opened = await open();
    const { page, server } = opened;
    await everyKind(opened);
    await inStep(opened);
    const texts = await copied(opened, 'curl');
    expect(texts.join()).not.toContain(user.paraphrase);
    expect(texts[1]).toContain("PARAPHRASE='<paraphrase of user 1>'");
    expect(texts[1]).toContain(`--header "${spec.protocol.headers.nonce}: $NONCE"`);
    const withQuery = texts.find((text) => text.includes('?page=1')) as string;
    const token = await server.issueToken(user.id);
    const script = withQuery.replace(/TOKEN='<.+>'/, `TOKEN='${token}'`);
    const said = await new Promise<string>((resolve, reject) =>
      execFile('sh', ['-c', script], (error, stdout) => (error === null ? resolve(stdout) : reject(error))),
    );
    expect(said).toMatch(/^HTTP\/1.1 200/);
    expect(server.recorded.at(-1)?.target).toBe('/api/books?page=1');
    expect(server.recorded.at(-1)?.headers).toContainEqual(['Accept', "text/it's"]);
    await page.locator('#search').focus();
    await page.keyboard.press('Control+V');
    expect(await page.locator('#search').inputValue()).toContain('curl --include');
  });

  test('what is shown is saved as an HTTP archive, without secrets', async () => {
    const opened = await open();
    const { page, server } = opened;
    await everyKind(opened);
    await inStep(opened);
    await page.locator('#search').fill('step:refused');
    const saving = page.waitForEvent('download');
    await page.getByText('Save', { exact: true }).click();
    await page.getByRole('button', { name: 'HTTP archive' }).click();
    const text = readFileSync(await (await saving).path(), 'utf8');
    const { log } = JSON.parse(text);
    const refused = server.recorded.filter(({ step }) => step === 'refused');
    expect(log).toMatchObject({ version: '1.2', creator: { name: 'hydrauth' } });
    expect(log.entries.map((entry: { response: { status: number } }) => entry.response.status)).toEqual(
      refused.map(({ status }) => status),
    );
    expect(log.entries[0]).toMatchObject({
      request: { method: 'GET', url: `${server.url}/books`, httpVersion: 'HTTP/1.1', headersSize: -1 },
      response: { content: { mimeType: spec.protocol.mediaType, text: JSON.stringify(spec.protocol.challenge.body) } },
      comment: expect.stringContaining(refused[0]?.reason as string),
    });
    expect(text).not.toContain(user.paraphrase);
    expect(text).not.toContain(btoa(`${user.id}:${user.paraphrase}`));
  });

  test('and as one page that loads nothing, passes axe, and tells the reasons', async () => {
    const opened = await open();
    const { page, server } = opened;
    await everyKind(opened);
    await inStep(opened);
    const saving = page.waitForEvent('download');
    await page.getByText('Save', { exact: true }).click();
    await page.getByRole('button', { name: 'Page to share' }).click();
    const file = await (await saving).path();
    const text = readFileSync(file, 'utf8');
    expect(/<script|<img| (src|style|on[a-z]+)=|@import/.exec(text)?.[0]).toBeUndefined();
    expect(text).not.toContain(user.paraphrase);
    expect(text).toContain("default-src 'none'; style-src 'sha256-");

    const folder = mkdtempSync(join(tmpdir(), 'hydrauth-shared-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'shared.html'), text);
    const shared = await page.context().newPage();
    const trouble: string[] = [];
    shared.on('console', (message) => trouble.push(message.text()));
    await shared.goto(pathToFileURL(join(folder, 'shared.html')).href);
    expect(await shared.locator('.exchanges > details').count()).toBe(server.recorded.length);
    expect(await shared.evaluate("getComputedStyle(document.querySelector('.row')).position")).toBe('relative');
    await shared.locator('.row.is-fail').last().click();
    expect(await shared.locator('details[open]').innerText()).toContain(server.recorded.at(-1)?.reason);
    await shared.setViewportSize({ width: 400, height: 800 });
    await expectSound(shared);
    expect(trouble).toEqual([]);
  });
});
