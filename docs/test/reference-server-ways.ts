import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type RunningServer, startReferenceServer } from '../../fixtures/reference-server.js';
import { type Follow, left, module, run, saved, start } from './following.js';
import type { Workplace } from './workplace.js';

const inHelpers = 'it is part of what fixtures/helpers/test runs in a suite of its own';
const lineOf = (place: Workplace) => JSON.parse(readFileSync(join(place.folder, 'line.json'), 'utf8'));

/** Reads as a client of the guides does, and logs in. */
async function loggingIn({ url }: RunningServer) {
  const get = (headers: Record<string, string>) => fetch(`${url}/people`, { headers });
  const nonce = (await get({})).headers.get('X-Authentication') ?? '';
  const credentials = { Authorization: `Basic ${btoa('1:secret')}`, 'X-Authentication': nonce };
  const token = { 'X-Authorization': (await get(credentials)).headers.get('X-Authorization') ?? '' };
  return { get, credentials, token };
}

const served = () => startReferenceServer({ clock: 'manual', users: [{ id: 1, paraphrase: 'secret' }], collections: ['people'] });

/** What the guide shows of an exchange is in the one that was recorded. */
const isRecorded: Follow = async ({ text }) => {
  const server = await served();
  const { get, credentials, token } = await loggingIn(server);
  await get(token);
  await get(credentials);
  const { atMs: _, wallMs: __, tookMs: ___, connection: ____, because, ...shown } = JSON.parse(text);
  const recorded = server.recorded.find(({ number }) => number === shown.number);
  expect(recorded).toMatchObject(shown);
  expect(recorded?.because).toEqual(expect.arrayContaining(because.map((each: object) => expect.objectContaining(each))));
  await server.close();
};

/** The lines are those of the exchanges that they speak of. */
const isLogged: Follow = async ({ text }) => {
  const server = await startReferenceServer({ clock: 'manual' });
  for (const headers of [undefined, { 'X-Authorization': 'a'.repeat(64) }]) await fetch(`${server.url}/books`, headers && { headers });
  const lines = server.recorded.map(({ method, target, status, step, reason }) => `${method} ${target} ${status} ${step} ${reason}`);
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => line.slice(line.indexOf(' ') + 1)),
  ).toEqual(lines);
  await server.close();
};

/** The last call waits for an exchange, which comes as often as it takes. */
const steered: Follow = async ({ text }, place) => {
  const { url, control, controlToken } = lineOf(place);
  let isOver = false;
  const running = place.run(text, { CONTROL: control, TOKEN: controlToken }).finally(() => {
    isOver = true;
  });
  while (!isOver) await (await fetch(`${url}/people`)).text();
  const { code, out } = await running;
  expect(code, out).toBe(0);
  expect(out).toMatch(/"status":401/);
};

/** The first fault of a block has the effect that it is shown for, on a client that logs in first. */
export const breaksTokens: Follow = async ({ text }) => {
  const [, id = '', use = ''] = /server\.faults\.use\('([\w-]+)', (\{[^}]*\})\)/.exec(text) ?? [];
  const server = await served();
  server.faults.use(id, JSON.parse(use.replace(/(\w+):/g, '"$1":').replaceAll("'", '"')));
  const { get, token } = await loggingIn(server);
  for (let times = 0; times < 4; times++) await get(token);
  expect(server.recorded.map(({ status }) => status)).toEqual([401, 200, 200, 401, 401, 200]);
  await server.close();
};

const withServer =
  "import { startReferenceServer } from 'hydrauth/reference-server';\nconst server = await startReferenceServer({ clock: 'manual' });";

export const referenceServerWays: readonly (readonly [begins: string, follow: Follow])[] = [
  ['npm install', run()],
  ['// client.test.mjs', saved('client.test.mjs')],
  ['node --test', run(0, /pass 2/)],
  ['NODE_OPTIONS=--experimental-vm-modules', left(inHelpers)],
  ['let server', left(inHelpers)],
  ['const server', module("import { startReferenceServer } from 'hydrauth/reference-server';", 'await server.close();')],
  ['{', isRecorded],
  [
    'npx hydrauth serve --port 0',
    async (block, place) => {
      // It would end with its standard input, which a test leaves closed.
      const line = JSON.parse(String(await start(/\}\n/, 'tail -f /dev/null | ')(block, place)));
      place.usePort('40123', Number(new URL(line.url).port));
      place.usePort('40124', Number(new URL(line.clock).port));
      place.usePort('40125', Number(new URL(line.control).port));
      place.file('line.json', JSON.stringify(line));
    },
  ],
  [
    '{"url"',
    async ({ text }, place) => expect({ ...JSON.parse(place.here(text)), controlToken: expect.any(String) }).toEqual(lineOf(place)),
  ],
  ['curl', steered],
  ['from datetime import timedelta', left(inHelpers)],
  ['server := hydrauth.Start', left(inHelpers)],
  ['@RegisterExtension', left(inHelpers)],
  ['16:59', isLogged],
  [
    'npx hydrauth serve',
    (block, place) => start(undefined, 'BROWSER=true ')({ ...block, text: block.text.replace('--open', '--open --port 0') }, place),
  ],
  ['npx hydrauth serve', start()],
  ['npx hydrauth serve', start()],
  [
    'server.faults.use',
    async (block, place) => {
      await module(withServer, 'await server.close();')(block, place);
      await breaksTokens(block, place);
    },
  ],
  ['server.troubles.use', module(withServer, "if (server.troubles.on.length > 0) throw new Error('left'); await server.close();")],
  ['const { number }', module(withServer, 'await server.close();', /^hang never answered\n401$/)],
];
