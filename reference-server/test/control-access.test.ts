import { request } from 'node:http';
import { expect, test } from 'vitest';
import { controlled } from './controlling.js';

/** `fetch` sets Host and Sec-Fetch-Site by itself. */
function ask(url: string, headers: Record<string, string>, method = 'POST', path = '/reset'): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const asking = request(url + path, { method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      answer.on('end', () => resolve([answer.statusCode ?? 0, text]));
    });
    asking.on('error', reject).end();
  });
}

test('nobody but who has the token and is no page of elsewhere can read or change anything', async () => {
  const { server, url, token, read } = await controlled({ page: true });
  await read();
  const authorization = `Bearer ${token}`;
  const port = new URL(url).port;
  const wrong: [number, Record<string, string>, string][] = [
    [401, {}, 'the token is missing or wrong; allowed is Authorization: Bearer'],
    [401, { authorization: `Bearer ${token.slice(1)}` }, 'the token is missing or wrong'],
    [401, { authorization: `Basic ${token}` }, 'the token is missing or wrong'],
    [401, { cookie: `hydrauth-control=${token}` }, 'the token is missing or wrong'],
    [
      403,
      { authorization, host: `rebound.example:${port}` },
      `this Host is not allowed; http://127.0.0.1:${port} and http://localhost:${port} are`,
    ],
    [403, { authorization, host: '127.0.0.1' }, 'this Host is not allowed'],
    [403, { authorization, origin: 'http://evil.example' }, `this Origin is not allowed; none is, and http://127.0.0.1:${port}`],
    [403, { authorization, origin: `http://localhost:${port}` }, 'this Origin is not allowed'],
    [403, { authorization, origin: 'null' }, 'this Origin is not allowed'],
    [403, { authorization, 'sec-fetch-site': 'cross-site' }, 'a page of another origin is not allowed'],
    [403, { authorization, 'sec-fetch-site': 'same-site' }, 'a page of another origin is not allowed'],
  ];
  for (const [status, headers, sentence] of wrong) {
    for (const [method, path] of [
      ['POST', '/reset'],
      ['GET', '/exchanges'],
      ['GET', '/exchanges/events'],
      ['PUT', '/faults/token-once'],
      ['GET', '/'],
    ]) {
      const [got, text] = await ask(url, headers, method, path);
      expect([got, Object.keys(JSON.parse(text))], `${method} ${path} ${JSON.stringify(headers)}`).toEqual([status, [String(status)]]);
      expect(text).toContain(sentence);
    }
  }
  expect([server.recorded.length, server.faults.on]).toEqual([1, []]);
  expect(await ask(url, { authorization, origin: url, 'sec-fetch-site': 'same-origin' })).toEqual([204, '']);
  expect(server.recorded.length).toBe(0);
});

test('the address of the page gives a cookie, which stands for the token; an address for one visit is good for one', async () => {
  const { server, url, token } = await controlled({ page: true });
  const once = server.pageOnce() as string;
  for (const address of [server.page as string, once]) {
    const opened = await fetch(address);
    const cookie = opened.headers.get('set-cookie') as string;
    expect([opened.status, cookie]).toEqual([200, expect.stringMatching(/^hydrauth-control-\d+=.*; HttpOnly; SameSite=Strict; Path=\/$/)]);
    const [status] = await ask(url, { cookie: cookie.split(';')[0] as string }, 'GET', '/state');
    expect(status).toBe(200);
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
  const { port } = new URL(url);
  const status = await new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    request({ host: '127.0.0.1', port, path, method: 'DELETE', headers }, (answer) => resolve(answer.resume().statusCode)).end();
  });
  expect(status).toBe(404);
});

test('it listens on loopback, and ends with the server', async () => {
  const { server, url } = await controlled();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await server.close();
  await expect(fetch(url)).rejects.toThrow();
});
