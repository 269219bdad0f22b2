import type { Page } from 'playwright-core';
import { hydraClient } from '../../conformance/reference-client/index.js';
import { manualClock, type RunningServer, startReferenceServer } from '../../fixtures/reference-server.js';
import { spec } from '../../spec/index.js';
import { desk, type Picture, phone } from './take.js';

const users = [
  { id: 1, paraphrase: 'open sesame' },
  { id: 2, paraphrase: 'another one' },
] as const;

/** The pictures of the live page. */
export const livePictures: readonly Picture[] = [
  { name: 'live', ...desk, colorScheme: 'light', show: after(chooseRefused) },
  { name: 'live-try', ...desk, colorScheme: 'dark', show: after(tryIt) },
  { name: 'live-phone', ...phone, colorScheme: 'light', show: after(async () => {}) },
  { name: 'live-phone-why', ...phone, colorScheme: 'dark', show: after(chooseRefused) },
];

/** The page of a server that clients have used, after something was done on it. */
function after(act: (page: Page) => Promise<void>): Picture['show'] {
  return async (page) => {
    const clock = manualClock('2030-01-01T09:00:00Z');
    const server = await startReferenceServer({ page: true, clock, users, collections: ['books', 'people'] });
    page.once('close', () => server.close());
    await page.goto(server.page as string);
    await useServer(server, (ms) => clock.advance({ ms }));
    await page.locator(`#row-${server.recorded.at(-1)?.number}`).waitFor();
    await page.locator('#switched li').waitFor();
    await page.locator('.tokens li', { hasText: 'Token 3' }).waitFor({ state: 'attached' });
    await act(page);
  };
}

/** Two clients, one that guesses, a token that ends, and a fault that waits for its request. */
async function useServer(server: RunningServer, advance: (ms: number) => void): Promise<void> {
  const [first, second] = users.map(({ id, paraphrase }) => hydraClient({ baseUrl: server.url, user: id, paraphrase }));
  const { headers, token, challenge } = spec.protocol;
  await first?.fetch('books');
  advance(180_000);
  await first?.fetch('books/2');
  await second?.fetch('people');
  const nonce = (await fetch(`${server.url}/people`)).headers.get(headers.nonce) as string;
  const guess = `${challenge.scheme} ${btoa(`${users[1].id}:guess`)}`;
  await fetch(`${server.url}/people`, { headers: { [headers.nonce]: nonce, [headers.authorization]: guess } });
  advance(token.lifetimeMs - 180_000 + 4000);
  await first?.fetch('people/3');
  await second?.fetch('books');
  advance(600_000);
  await server.faults.use('token-once', { next: 1 });
}

async function chooseRefused(page: Page): Promise<void> {
  await page.locator('.row.is-fail', { hasText: 'ended' }).last().click();
}

async function tryIt(page: Page): Promise<void> {
  await page.locator('.views [data-show=try]').click();
  await page.getByRole('button', { name: 'Send step A' }).click();
  await page.locator('output', { hasText: 'a nonce came' }).waitFor();
  await page.getByLabel('Paraphrase').fill(users[0].paraphrase);
  await page.getByRole('button', { name: 'Send step B' }).click();
  await page.locator('output', { hasText: 'a token came' }).waitFor();
  await page.locator('.row', { hasText: 'A token is given' }).last().click();
}
