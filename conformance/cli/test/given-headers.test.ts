import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultUsers, type RunningServer, startReferenceServer } from '../../../reference-server/index.js';
import { runConformance } from '../../index.js';

const key = 'k3y-of-the-gateway';
let service: RunningServer;
const page = 'https://pages.example';
let keyless = 0;
let elsewhere = 0;

/** A gateway that lets nobody through without its key. */
const gateway = createServer((asked, answer) => {
  if (asked.headers['x-api-key'] !== key) {
    keyless += 1;
    answer.writeHead(403).end();
    return;
  }
  const origins = asked.rawHeaders.filter((_, at, lines) => at % 2 === 1 && lines[at - 1]?.toLowerCase() === 'origin');
  if (origins.join() !== page) elsewhere += 1;
  const { hostname, port } = new URL(service.url);
  const passed = request({ hostname, port, path: asked.url, method: asked.method, headers: asked.headers }, (came) => {
    answer.writeHead(came.statusCode ?? 502, came.statusMessage, came.rawHeaders);
    came.pipe(answer);
  });
  passed.on('error', () => answer.destroy());
  asked.pipe(passed);
});

beforeAll(async () => {
  service = await startReferenceServer();
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  gateway.closeAllConnections();
  gateway.close();
  await service.close();
});

const options = () => ({
  baseUrl: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/api`,
  collections: ['books'],
  users: [`${defaultUsers[0]?.id}:${defaultUsers[0]?.paraphrase}`],
  only: ['challenge', 'exchange.token', 'token.sufficient', 'errors'],
  runs: 1,
  seed: 1,
});

test('every request of both engines carries the lines given, in place of its own, and no report shows their values', async () => {
  const report = await runConformance({ ...options(), headers: [`X-Api-Key: ${key}`, `origin: ${page}`] });
  expect([report.verdict, keyless, elsewhere]).toEqual(['conformant', 0, 0]);
  expect(report.requirements.flatMap(({ checks }) => checks).map(({ engine }) => engine)).toContain('postman');
  expect(JSON.stringify(report)).not.toContain(key);
});

test.each([
  ['X-Authorization: x', 'X-Authorization is not allowed'],
  ['authorization: Basic x', 'authorization is not allowed'],
  ['Host: elsewhere', 'Host is not allowed'],
  ['no colon', 'headers: number 1 is no header line; "Name: value" is expected'],
  ['X-A: a\r\nX-B: b', 'is no header line'],
])('%j is refused with what is allowed', async (line, words) => {
  await expect(runConformance({ ...options(), headers: [line] })).rejects.toThrow(words);
});
