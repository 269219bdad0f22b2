import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { startReferenceServer } from '../../../fixtures/reference-server.js';
import { listening } from '../../../spec/test/listening.js';
import { scratch, scratchFile } from '../../../spec/test/scratch.js';
import { calling } from '../../cli/test/calling.js';

export const folder = scratch();
export const env = { FLEET_USERS: '1:correct horse battery\n2:a second secret' };
const users = [
  { id: 1, paraphrase: 'correct horse battery' },
  { id: 2, paraphrase: 'a second secret' },
];
/** What is enough to tell a good service from one with the fault challenge-other-text. */
export const defaults = {
  collections: ['people'],
  users: [{ env: 'FLEET_USERS' }],
  engine: 'laws',
  budget: 80,
  only: ['challenge.status', 'challenge.body', 'exchange.status'],
};

const closing: (() => unknown)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

/** A reference server with these faults, and the address of its clock. */
export async function serveWithClock(...faults: string[]): Promise<{ url: string; clock: string }> {
  const server = await startReferenceServer({ users, collections: ['people'], faults, recordLast: 0, clock: 'manual' });
  closing.push(() => server.close());
  return { url: server.url, clock: server.clockUrl as string };
}

export const serve = async (...faults: string[]): Promise<string> => (await serveWithClock(...faults)).url;

/** The base URL of a service that never answers. */
export async function silent(): Promise<string> {
  const { url, close } = await listening(createServer());
  closing.push(close);
  return `${url}/api`;
}

export function fleetFile(services: readonly object[], name = 'fleet.json', more: object = defaults): string {
  return scratchFile(name, JSON.stringify({ defaults: more, services }, null, 1), folder);
}

/** Judges the file into the folder of this name. */
export async function fleet(file: string, output: string, ...words: string[]) {
  const called = await calling(
    ['fleet', file, '--output', join(folder, output), '--seed', '7', ...(words.includes('--jobs') ? [] : ['--jobs', '1']), ...words],
    { env },
  );
  return { ...called, text: (name: string) => readFileSync(join(folder, output, name), 'utf8') };
}
