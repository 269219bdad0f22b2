import jsonld from 'jsonld';
import { describe, expect, test } from 'vitest';
import { createReferenceServer } from '../index.js';
import { aliceBasic, expectChallenge, get, logIn, missingCommon, nonceOf } from './support.js';

describe('the three steps', () => {
  test('Step B: nonce and credentials give a token', async () => {
    const server = createReferenceServer();
    const answer = await get(server, '/api/books', { 'x-authentication': await nonceOf(server), authorization: aliceBasic });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['x-authorization']).toMatch(/^[0-9a-f]{64}$/);
    expect(answer.headers['x-authentication']).toBeUndefined();
    expect(answer.payload).toBe('{"200":"User token generated"}');
    expect(missingCommon(answer.headers)).toEqual([]);
  });

  test('Step C: the token alone opens every address, and carries no token or nonce back', async () => {
    const server = createReferenceServer();
    const token = await logIn(server);
    for (const path of ['/api', '/api/', '/api/books', '/api/people', '/api/books/1', '/api/vocab', '/api/books?page=2']) {
      const answer = await get(server, path, { 'x-authorization': token });
      expect([path, answer.statusCode]).toEqual([path, 200]);
      expect(missingCommon(answer.headers)).toEqual([]);
      expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.payload)));
      expect(answer.headers['x-authorization']).toBeUndefined();
      expect(answer.headers['x-authentication']).toBeUndefined();
    }
  });
});

describe('with a valid token', () => {
  test('what does not exist is a 404 and what cannot be done a 405, keyed by status', async () => {
    const server = createReferenceServer();
    const lines = { 'x-authorization': await logIn(server) };
    for (const path of [
      '/',
      '/api/none',
      '/api/books/9',
      '/api/books/01',
      '/api/books/1/2',
      '/apibooks',
      '/api/vocab/1',
      '/api/books%2F1',
      '/api/Books',
    ]) {
      const answer = await get(server, path, lines);
      expect([path, answer.statusCode, answer.payload]).toEqual([path, 404, '{"404":"There is no resource at this address"}']);
      expect(missingCommon(answer.headers)).toEqual([]);
    }
    const refused = await get(server, '/api/books', lines, 'DELETE');
    expect([refused.statusCode, refused.headers['allow'], Object.keys(JSON.parse(refused.payload))]).toEqual([405, 'GET, HEAD', ['405']]);
    expect(missingCommon(refused.headers)).toEqual([]);
    const unreadable = await get(server, '/api/%zz', lines);
    expect([unreadable.statusCode, Object.keys(JSON.parse(unreadable.payload))]).toEqual([400, ['400']]);
    expect(missingCommon(unreadable.headers)).toEqual([]);
  });

  test('other spellings of an address lead to the same resource', async () => {
    const server = createReferenceServer({ collections: ['old books', 'naïve+'] });
    const lines = { 'x-authorization': await logIn(server) };
    for (const path of ['/api/old%20books', '/api/ol%64%20books', '/api/na%C3%AFve+', '/api/na%C3%AFve%2B']) {
      expect([path, (await get(server, path, lines)).statusCode]).toEqual([path, 200]);
    }
  });

  test('documents expand to triples of the Hydra vocabulary', async () => {
    const server = createReferenceServer();
    const lines = { 'x-authorization': await logIn(server) };
    const type = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
    for (const [path, kind] of [
      ['/api/books', 'Collection'],
      ['/api/vocab', 'ApiDocumentation'],
      ['/api/', 'Resource'],
    ] as const) {
      const body = JSON.parse((await get(server, path, lines)).payload);
      const documentLoader = async (url: string): Promise<never> => {
        throw new Error(`fetches ${url}`);
      };
      const quads = (await jsonld.toRDF(body, { documentLoader })) as unknown as object[];
      expect(quads.length).toBeGreaterThan(4);
      expect(quads).toContainEqual(
        expect.objectContaining({
          predicate: expect.objectContaining({ value: type }),
          object: expect.objectContaining({ value: `http://www.w3.org/ns/hydra/core#${kind}` }),
        }),
      );
    }
  });
});

// That every method, path and header is protected is what the judge shows: fixtures/test/proof.test.ts.
test('a preflight is answered with permission to send the three headers; OPTIONS with half of one is none', async () => {
  const [origin, method] = [{ origin: 'https://a.example' }, { 'access-control-request-method': 'GET' }];
  for (const half of [origin, method]) expectChallenge(await get(createReferenceServer(), '/api/books', half, 'OPTIONS'));
  const answer = await get(createReferenceServer(), '/api/books', { ...origin, ...method }, 'OPTIONS');
  expect([answer.statusCode, answer.payload, missingCommon(answer.headers)]).toEqual([200, '', []]);
  expect(answer.headers['access-control-allow-headers']).toBe('Authorization, X-Authentication, X-Authorization');
  expect(answer.headers['access-control-expose-headers']).toContain('X-Authentication, X-Authorization');
  expect(answer.headers['x-authentication']).toBeUndefined();
});

describe('settings', () => {
  test('authentication off: everything is served and nothing issued', async () => {
    const server = createReferenceServer({ auth: 'off' });
    const answer = await get(server, '/api/books', { 'x-authentication': 'x', authorization: aliceBasic });
    expect(answer.statusCode).toBe(200);
    expect(answer.payload).toContain('hydra:Collection');
    for (const name of ['x-authentication', 'x-authorization', 'www-authenticate']) expect(answer.headers[name]).toBeUndefined();
  });

  test('tokens off: nonce and credentials serve the request directly', async () => {
    const server = createReferenceServer({ tokens: 'off' });
    const answer = await get(server, '/api/books', { 'x-authentication': await nonceOf(server), authorization: aliceBasic });
    expect(answer.payload).toContain('hydra:Collection');
    expect(answer.headers['x-authorization']).toBeUndefined();
    expectChallenge(await get(server, '/api/books', { authorization: aliceBasic }));
  });

  test('the base path, the Host and the public URL make the links', async () => {
    const link = async (server: ReturnType<typeof createReferenceServer>, headers = {}) =>
      (await get(server, '/', headers)).headers['link'];
    expect(await link(createReferenceServer({ basePath: '' }), { host: 'api.example:8080' })).toContain('<http://api.example:8080/vocab>');
    expect(await link(createReferenceServer({ publicUrl: 'https://api.example/v1/' }))).toContain('<https://api.example/v1/vocab>');
    expect(await link(createReferenceServer(), { host: 'evil"><script>' })).toContain('<http://localhost/api/vocab>');
  });
});
