import { request } from 'node:http';
import { expect, test } from 'vitest';
import { crowded } from '../../spec/test/listening.js';
import { defaultLimits, manualClock, startReferenceServer } from '../index.js';
import { ask } from './controlling.js';

const start = '2030-01-01T00:00:00.000Z';

function post(url: string, body: string) {
  return fetch(url, { method: 'POST', body });
}

test('reads and moves the clock of the server, if that is manual, and ends with it', async () => {
  await using system = await startReferenceServer();
  await using silent = await startReferenceServer({ clock: 'manual', clockControl: false });
  expect([system.clockUrl, silent.clockUrl]).toEqual([null, null]);
  const server = await startReferenceServer({ clock: manualClock(start) });
  const url = server.clockUrl as string;
  expect(await (await fetch(url)).json()).toEqual({ now: start });
  expect(await (await post(url, '{"advanceMs": 2700000}')).json()).toEqual({ now: '2030-01-01T00:45:00.000Z' });
  expect((await fetch(server.url)).headers.get('date')).toBe('Tue, 01 Jan 2030 00:45:00 GMT');
  await server.close();
  await expect(fetch(url)).rejects.toThrow();
});

test('wrong requests get 400 and change nothing', async () => {
  await using server = await startReferenceServer({ clock: manualClock(start) });
  const url = server.clockUrl as string;
  const values = ['-1', '1.5', '"5"', 'null', '1e300', '1,"x":1', '9007199254740991'];
  for (const body of ['', 'x', '1', 'null', '[]', '{}', ...values.map((value) => `{"advanceMs":${value}}`)])
    expect([body, (await post(url, body)).status]).toEqual([body, 400]);
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(405);
  const hosts = ['a.example', `a.example:${new URL(url).port}`, '127.0.0.1'].map((host) => ({ host }));
  const sites = ['cross-site', 'same-site'].map((site) => ({ 'sec-fetch-site': site }));
  for (const headers of [...hosts, ...sites, { origin: 'https://a.example' }] as Record<string, string>[])
    expect([headers, (await ask(url, headers, 'POST', '/', { advanceMs: 1 }))[0]]).toEqual([headers, 400]);
  expect(await (await fetch(url)).json()).toEqual({ now: start });
});

test.each(['clock', 'control'])('the %s listener keeps no more of a body than it allows, and hangs up', async (listener) => {
  await using server = await startReferenceServer({ clock: 'manual', control: true });
  const { url, token } = server.control as { url: string; token: string };
  const address = listener === 'clock' ? (server.clockUrl as string) : `${url}/clock`;
  const before = process.memoryUsage().arrayBuffers;
  const [status, sent] = await new Promise<[number | undefined, number]>((resolve) => {
    let octets = 0;
    const asking = request(address, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    const more = () => {
      if (octets >= 64_000_000) return void asking.end();
      octets += 1_000_000;
      asking.write('x'.repeat(1_000_000), (error) => error == null && more());
    };
    asking.on('error', () => {});
    asking.on('response', (res) => res.resume().on('close', () => resolve([res.statusCode, octets])));
    more();
  });
  expect(status).toBe(413);
  expect(sent).toBeLessThan(64_000_000);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40_000_000);
});

test.each(['clock', 'control'])('the %s listener closes what one address opens beyond its share', async (listener) => {
  await using server = await startReferenceServer({ clock: 'manual', control: true });
  const url = listener === 'clock' ? server.clockUrl : server.control?.url;
  expect(await crowded(url as string, defaultLimits.connectionsPerAddress + 1)).toBe(0);
});
