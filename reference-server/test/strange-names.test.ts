import { expect, test } from 'vitest';
import { manualClock, type RecordedExchange, type RunningServer, startReferenceServer } from '../index.js';
import { aliceBasic, raw } from './support.js';

/** Names that a plain object answers to although nobody has put them there. */
const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

const places: Readonly<Record<string, (name: string) => readonly [target: string, lines: string, body: string]>> = {
  header: (name) => ['/api/books', `${name}: x\r\n`, ''],
  query: (name) => [`/api/books?${name}=1&${name}[${name}]=2`, '', ''],
  cookie: (name) => ['/api/books', `Cookie: ${name}=1; a=${name}\r\n`, ''],
  'body member': (name) => ['/api/books', 'Content-Type: application/json\r\n', `{"${name}":{"${name}":1}}`],
  collection: (name) => [`/api/${name}`, '', ''],
  nonce: (name) => ['/api/books', `X-Authentication: ${name}\r\nAuthorization: ${aliceBasic}\r\n`, ''],
  token: (name) => ['/api/books', `X-Authorization: ${name}\r\n`, ''],
  id: (name) => ['/api/books', `X-Authentication: x\r\nAuthorization: Basic ${btoa(`${name}:x`)}\r\n`, ''],
};

async function ask(
  server: RunningServer,
  [target, lines, body]: readonly [string, string, string],
  more = '',
): Promise<number | undefined> {
  const head = `GET ${target} HTTP/1.1\r\nHost: x\r\n${lines}${more}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
  return (await raw(server.url, head + body))[0]?.status;
}

test.each(Object.keys(places))('a %s that is called like something of every object is nothing special', async (place) => {
  await using server = await startReferenceServer({ control: true, collections: ['books', ...names], clock: manualClock() });
  const token = `X-Authorization: ${await server.issueToken()}\r\n`;
  for (const name of names) {
    const sent = (places[place] as (typeof places)[string])(name);
    const waiting = server.waitFor({ step: place === 'nonce' || place === 'token' || place === 'id' ? 'refused' : 'A' });
    expect([name, await ask(server, sent)]).toEqual([name, 401]);
    expect((await waiting).status).toBe(401);
    if (place !== 'token') expect([name, await ask(server, sent, token)]).toEqual([name, 200]);
  }
  const { url, token: bearer } = server.control as { url: string; token: string };
  const { exchanges } = (await (await fetch(`${url}/exchanges`, { headers: { authorization: `Bearer ${bearer}` } })).json()) as {
    exchanges: RecordedExchange[];
  };
  expect(exchanges).toEqual(JSON.parse(JSON.stringify(server.recorded)));
  if (place === 'header') expect(exchanges[0]?.headers).toContainEqual(['__proto__', 'x']);
});

test('options and units are no more lenient', async () => {
  for (const name of names) {
    const given = JSON.parse(`{"${name}": 1}`);
    expect(() => manualClock().advance(given)).toThrow(`there is no unit ${name}`);
    await expect(startReferenceServer({ limits: given })).rejects.toThrow(`limits.${name}: there is no such limit`);
    await expect(startReferenceServer(given)).rejects.toThrow(`${name}: there is no such option`);
  }
});
