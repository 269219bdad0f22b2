import { request } from 'node:http';
import { expect, test } from 'vitest';
import { crowded } from '../../spec/test/listening.js';
import { defaultLimits, manualClock, startReferenceServer } from '../index.js';

const start = '2030-01-01T00:00:00.000Z';

function post(url: string, body: string) {
  return fetch(url, { method: 'POST', body });
}

test('reads and moves the clock of the server', async () => {
  await using server = await startReferenceServer({ clock: manualClock(start) });
  const url = server.clockUrl as string;
  expect(await (await fetch(url)).json()).toEqual({ now: start });
  expect(await (await post(url, '{"advanceMs": 2700000}')).json()).toEqual({ now: '2030-01-01T00:45:00.000Z' });
  expect((await fetch(server.url)).headers.get('date')).toBe('Tue, 01 Jan 2030 00:45:00 GMT');
});

test('wrong requests get 400 and change nothing', async () => {
  await using server = await startReferenceServer({ clock: manualClock(start) });
  const url = server.clockUrl as string;
  const bodies = [
    '',
    'x',
    '1',
    'null',
    '[]',
    '{}',
    '{"advanceMs":-1}',
    '{"advanceMs":1.5}',
    '{"advanceMs":"5"}',
    '{"advanceMs":null}',
    '{"advanceMs":1e300}',
    '{"advanceMs":1,"x":1}',
    '{"advanceMs":9007199254740991}',
  ];
  for (const body of bodies) expect([body, (await post(url, body)).status]).toEqual([body, 400]);
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(405);
  expect((await fetch(url, { method: 'POST', body: '{"advanceMs":1}', headers: { origin: 'https://a.example' } })).status).toBe(400);
  const { port } = new URL(url);
  const wrong = [
    { host: 'a.example' },
    { host: `a.example:${port}` },
    { host: '127.0.0.1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of wrong) {
    const status = await new Promise((resolve) =>
      request(url, { method: 'POST', headers }, (res) => resolve(res.statusCode)).end('{"advanceMs":1}'),
    );
    expect([headers, status]).toEqual([headers, 400]);
  }
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

test('is not offered unless the clock is manual, nor where it is switched off', async () => {
  await using system = await startReferenceServer();
  await using silent = await startReferenceServer({ clock: 'manual', clockControl: false });
  expect([system.clockUrl, silent.clockUrl]).toEqual([null, null]);
});

test.each(['clock', 'control'])('the %s listener closes what one address opens beyond its share', async (listener) => {
  await using server = await startReferenceServer({ clock: 'manual', control: true });
  const url = listener === 'clock' ? server.clockUrl : server.control?.url;
  expect(await crowded(url as string, defaultLimits.connectionsPerAddress + 1)).toBe(0);
});

test('ends with the server', async () => {
  const server = await startReferenceServer({ clock: 'manual' });
  await server.close();
  await expect(fetch(server.clockUrl as string)).rejects.toThrow();
});
