import { expect, test } from 'vitest';
import { ask, controlled } from './controlling.js';
import { rawText } from './support.js';

/** Everything that the page reads or changes. */
const calls = [
  ['GET', '/'],
  ['GET', '/page/live.js'],
  ['GET', '/page/facts.json'],
  ['GET', '/exchanges'],
  ['GET', '/exchanges/events'],
  ['GET', '/state'],
  ['POST', '/clock', { advanceMs: 60_000 }],
  ['POST', '/reset'],
  ['POST', '/tokens'],
  ['POST', '/tokens/1/expire'],
  ['PUT', '/faults/challenge-403'],
] as const;

const noToken = 'the token is missing or wrong; allowed is Authorization: Bearer';
const Authorization = 'Bearer TOKEN';

test.each([
  [401, {}, noToken],
  [401, { Authorization: 'Bearer 00TOKEN' }, noToken],
  [401, { Authorization: 'Basic TOKEN' }, noToken],
  [401, { Cookie: 'hydrauth-control=TOKEN' }, noToken],
  [401, { Cookie: 'hydrauth-control-PORT=TOKEN' }, noToken],
  [403, { Authorization, Host: 'evil.example:PORT' }, 'this Host is not allowed; http://127.0.0.1:PORT and http://localhost:PORT are'],
  [403, { Authorization, Host: '127.0.0.1' }, 'this Host is not allowed'],
  [403, { Authorization, Origin: 'http://evil.example' }, 'this Origin is not allowed; none is, and http://127.0.0.1:PORT'],
  [403, { Authorization, Origin: 'http://localhost:PORT' }, 'this Origin is not allowed'],
  [403, { Authorization, Origin: 'null' }, 'this Origin is not allowed'],
  [403, { Authorization, 'Sec-Fetch-Site': 'cross-site' }, 'a page of another origin is not allowed'],
  [403, { Authorization, 'Sec-Fetch-Site': 'same-site' }, 'a page of another origin is not allowed'],
] as const)('nobody reads or changes anything: %i for %j', async (status, given, sentence) => {
  const { server, url, token, read } = await controlled({ page: true });
  await read();
  await server.issueToken();
  const before = await server.state();
  const fill = (text: string) => text.replaceAll('TOKEN', token).replaceAll('PORT', new URL(url).port);
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, fill(value)]));
  for (const [method, path, body] of calls) {
    const [got, text] = await ask(url, headers, method, path, body);
    expect([method, path, got, JSON.parse(text)]).toEqual([method, path, status, { [status]: expect.stringContaining(fill(sentence)) }]);
  }
  expect(await server.state()).toEqual(before);
});

test('whoever has the token, and the page of the listener itself, is let in', async () => {
  const { server, url, token, read } = await controlled();
  await read();
  const headers = { authorization: `Bearer ${token}`, origin: url, 'sec-fetch-site': 'same-origin' };
  expect(await ask(url, headers, 'POST', '/reset')).toEqual([204, '']);
  expect(server.recorded.length).toBe(0);
});

test('the address of the page gives a cookie with a secret that is not the token; an address for one visit is good for one', async () => {
  const { server, url, token } = await controlled({ page: true });
  const once = server.pageOnce() as string;
  for (const address of [server.page as string, once]) {
    const opened = await fetch(address);
    const cookie = opened.headers.get('set-cookie') as string;
    expect([opened.status, cookie]).toEqual([200, expect.stringMatching(/^hydrauth-control-\d+=.*; HttpOnly; SameSite=Strict; Path=\/$/)]);
    expect(cookie).not.toContain(token);
    const [pair = ''] = cookie.split(';');
    expect((await ask(url, { cookie: pair }, 'GET', '/state'))[0]).toBe(200);
    expect((await ask(url, { authorization: `Bearer ${pair.split('=')[1]}` }, 'GET', '/state'))[0]).toBe(401);
  }
  expect((await fetch(once)).status).toBe(401);
  expect((await fetch(`${url}/?token=${token}x`)).status).toBe(401);
});

test('without page there is none', async () => {
  const { server, call, url, token } = await controlled();
  expect([server.page, server.pageOnce()]).toEqual([null, null]);
  expect((await fetch(`${url}/?token=${token}`)).status).toBe(401);
  expect((await call('GET', '/'))[0]).toBe(404);
});

test.each(['//', '//evil.example/state', 'http://evil.example/state', '*', '/%zz'])('the target %s leads nowhere', async (path) => {
  const { url, token } = await controlled({ page: true });
  expect((await ask(url, { authorization: `Bearer ${token}`, host: new URL(url).host }, 'DELETE', path))[0]).toBe(404);
});

test('it listens on loopback, ends silent connections, and ends with the server', async () => {
  const { server, url } = await controlled();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await rawText(url, '')).toMatch(/^HTTP\/1\.1 408/);
  await server.close();
  await expect(fetch(url)).rejects.toThrow();
});
