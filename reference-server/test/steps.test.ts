import jsonld from 'jsonld';
import { expect, test } from 'vitest';
import { createReferenceServer } from '../index.js';
import { expectChallenge, get, logIn, missingCommon } from './support.js';

// What the three steps answer, and that every method, path and header is protected, is what the judge shows: fixtures/test/join.test.ts.
test.each([
  ['GET', 404, '/ /api/none /api/books/9 /api/books/01 /api/books/1/2 /apibooks /api/vocab/1 /api/books%2F1 /api/Books'],
  ['DELETE', 405, '/api/books'],
  ['GET', 400, '/api/%zz'],
])('with a valid token, %s gets %i, keyed by status: %s', async (method, status, paths) => {
  const server = createReferenceServer();
  const lines = { 'x-authorization': await logIn(server) };
  for (const path of paths.split(' ')) {
    const { statusCode, payload, headers } = await get(server, path, lines, method);
    expect([path, statusCode, Object.keys(JSON.parse(payload))]).toEqual([path, status, [String(status)]]);
    expect([missingCommon(headers), headers['allow']]).toEqual([[], status === 405 ? 'GET, HEAD' : undefined]);
  }
});

test('other spellings of an address lead to the same resource', async () => {
  const server = createReferenceServer({ collections: ['old books', 'naïve+'] });
  const lines = { 'x-authorization': await logIn(server) };
  for (const path of ['/api/old%20books', '/api/ol%64%20books', '/api/na%C3%AFve+', '/api/na%C3%AFve%2B'])
    expect([path, (await get(server, path, lines)).statusCode]).toEqual([path, 200]);
});

test.each([
  ['/api/books', 'Collection'],
  ['/api/vocab', 'ApiDocumentation'],
  ['/api/', 'Resource'],
])('the document at %s expands to a %s of the Hydra vocabulary, and nothing is fetched for it', async (path, kind) => {
  const server = createReferenceServer();
  const { payload } = await get(server, path, { 'x-authorization': await logIn(server) });
  const documentLoader = (url: string) => Promise.reject(new Error(`fetches ${url}`));
  const [expanded] = await jsonld.expand(JSON.parse(payload), { documentLoader });
  expect(expanded?.['@type']).toEqual([`http://www.w3.org/ns/hydra/core#${kind}`]);
});

test('a preflight is answered with permission to send the three headers; OPTIONS with half of one is none', async () => {
  const [origin, method] = [{ origin: 'https://a.example' }, { 'access-control-request-method': 'GET' }];
  for (const half of [origin, method]) expectChallenge(await get(createReferenceServer(), '/api/books', half, 'OPTIONS'));
  const answer = await get(createReferenceServer(), '/api/books', { ...origin, ...method }, 'OPTIONS');
  expect([answer.statusCode, answer.payload, missingCommon(answer.headers)]).toEqual([200, '', []]);
  expect(answer.headers['access-control-allow-headers']).toBe('Authorization, X-Authentication, X-Authorization');
  expect(answer.headers['access-control-expose-headers']).toContain('X-Authentication, X-Authorization');
  expect(answer.headers['x-authentication']).toBeUndefined();
});

test.each([
  [{ basePath: '' }, 'api.example:8080', '<http://api.example:8080/vocab>'],
  [{ publicUrl: 'https://api.example/v1/' }, 'localhost', '<https://api.example/v1/vocab>'],
  [{}, 'evil"><script>', '<http://localhost/api/vocab>'],
])('the base path, the Host and the public URL make the links: %j, %s', async (options, host, link) => {
  expect((await get(createReferenceServer(options), '/', { host })).headers['link']).toContain(link);
});
