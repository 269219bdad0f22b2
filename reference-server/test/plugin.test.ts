import { unauthorized } from '@hapi/boom';
import { server as hapi, type Server } from '@hapi/hapi';
import { expect, test } from 'vitest';
import { type HydraAuthOptions, hydraAuth, OptionError, plugin } from '../hapi.js';
import { createReferenceServer } from '../index.js';
import { alice, aliceBasic, basic, expectChallenge, get, logIn, missingCommon } from './support.js';

async function protectedServer(options: Partial<HydraAuthOptions> = {}, server = hapi()): Promise<Server> {
  await server.register({ plugin: hydraAuth, options: { users: [alice], basePath: '/api', ...options } });
  server.route({ method: 'GET', path: '/api/books', handler: () => ({ '@type': 'http://schema.org/Book' }) });
  return server;
}

test('it is a plugin with a name and a version, also as a whole module', async () => {
  const server = hapi();
  await server.register({ plugin: { plugin }, options: { users: [] } });
  expect((server.registrations as Record<string, { version: string }>)['hydrauth']?.version).toBe(plugin.version);
  expect(plugin.version).toMatch(/^\d+\.\d+\.\d+/);
});

test.each([
  [{ user: [] }, 'user: there is no such option; allowed are spec, users, basePath'],
  [{ users: undefined }, 'users: none is not allowed; a list of { id, paraphrase }, or a function from an id to a hash is'],
  [{ users: [{ id: 1.5, paraphrase: 'x' }] }, 'users: the id 1.5 is not an integer; an integer such as 7 is expected'],
])('the options %j are refused', async (options, message) => {
  const registering = protectedServer(options as Partial<HydraAuthOptions>);
  await expect(registering).rejects.toThrow(OptionError);
  await expect(registering).rejects.toThrow(message);
});

test('without a base path the whole server is protected', async () => {
  const server = await protectedServer({ basePath: '' });
  for (const path of ['/', '/none', '/%zz', '/api/books']) expectChallenge(await get(server, path));
});

test('with a base path, what only begins like it is not below it', async () => {
  const server = await protectedServer();
  expect((await get(server, '/apis')).statusCode).toBe(404);
  expect((await get(server, '/apis')).headers['link']).toBeUndefined();
});

test('where letter case does not matter to the router, it does not matter to the protection', async () => {
  const server = await protectedServer({}, hapi({ router: { isCaseSensitive: false } }));
  for (const path of ['/API/none', '/API/books']) expectChallenge(await get(server, path));
});

test('a 401 of another strategy, or of the application before anybody is known, is the challenge', async () => {
  const server = await protectedServer();
  server.auth.scheme('other', () => ({ authenticate: (_request, h) => h.unauthenticated(unauthorized(null, 'Other')) }));
  server.auth.strategy('other', 'other');
  const handler = ({ auth }: { auth: { strategy: string } }) => ({ strategy: auth.strategy });
  server.route({ method: 'GET', path: '/api/both', options: { auth: { strategies: ['hydrauth', 'other'] } }, handler });
  server.route({ method: 'GET', path: '/api/open', options: { auth: false }, handler: () => unauthorized('not you') });
  for (const path of ['/api/both', '/api/open']) expectChallenge(await get(server, path));
  const served = await get(server, '/api/both', { 'x-authorization': await logIn(server) });
  expect(JSON.parse(served.payload)).toEqual({ strategy: 'hydrauth' });
});

test("a type and links of the application's own stand", async () => {
  const server = await protectedServer();
  server.route({
    method: 'GET',
    path: '/api/page',
    handler: (_request, h) => h.response('<p>').type('text/html').header('link', '</api/page?2>; rel="next"'),
  });
  const { headers } = await get(server, '/api/page', { 'x-authorization': await logIn(server) });
  expect(headers['content-type']).toContain('text/html');
  expect(headers['link']).toMatch(/^<\/api\/page\?2>; rel="next", <http:\/\/[^>]+\/api\/vocab>; rel="/);
});

test('what the application looks up must be a hash; the client is told nothing of it', async () => {
  const server = await protectedServer({ users: () => 'open sesame' }, hapi({ debug: false }));
  const failures: string[] = [];
  server.events.on({ name: 'request', channels: 'error' }, (_request, { error }) => failures.push((error as Error).message));
  const nonce = (await get(server, '/api/books')).headers['x-authentication'] as string;
  const answer = await get(server, '/api/books', { 'x-authentication': nonce, authorization: aliceBasic });
  expect([answer.statusCode, answer.payload]).toEqual([500, '{"500":"The server failed to answer this request"}']);
  expect(failures).toEqual(['users: what was found for the id 1 is no hash; a text made by hashParaphrase is allowed']);
});

test('a route added to the reference server is protected, knows its user and carries the common headers', async () => {
  const server = createReferenceServer();
  server.route({ method: 'POST', path: '/api/mine', handler: ({ auth, payload }) => ({ user: auth.credentials.user.id, payload }) });
  const ask = (headers: Record<string, string>) => server.inject({ method: 'POST', url: '/api/mine', headers, payload: { a: 1 } });
  expectChallenge(await ask({}));
  const answer = await ask({ 'x-authorization': await logIn(server) });
  expect(JSON.parse(answer.payload)).toEqual({ user: 1, payload: { a: 1 } });
  expect(missingCommon(answer.headers)).toEqual([]);
});

const open = { method: 'GET', path: '/health', handler: () => 'well' } as const;

test('routes outside the base path are open, unless the strategy is to be the default', async () => {
  const server = await protectedServer();
  server.route(open);
  expect((await get(server, '/health')).payload).toBe('well');
  const strict = await protectedServer({ asDefault: true });
  strict.route(open);
  expect((await get(strict, '/health')).statusCode).toBe(401);
});

test('an application keeps its default strategy, which has no say below the base path', async () => {
  const server = hapi();
  server.auth.scheme('badge', () => ({
    authenticate: ({ headers }, h) =>
      headers['badge'] === undefined
        ? h.unauthenticated(unauthorized(null, 'Badge'))
        : h.authenticated({ credentials: { user: { id: 77 } } }),
  }));
  server.auth.strategy('badge', 'badge');
  server.auth.default('badge');
  await protectedServer({}, server);
  server.route([open, { method: 'GET', path: '/api/me', handler: ({ auth }) => ({ id: auth.credentials.user.id, by: auth.strategy }) }]);
  expect((await get(server, '/health')).headers['www-authenticate']).toBe('Badge');
  expect((await get(server, '/health', { badge: '1' })).payload).toBe('well');
  expectChallenge(await get(server, '/api/me', { badge: '1' }));
  const served = await get(server, '/api/me', { 'x-authorization': await logIn(server) });
  expect(JSON.parse(served.payload)).toEqual({ id: 1, by: 'hydrauth' });
  await expect(protectedServer({ asDefault: true, basePath: '/v2' }, server)).rejects.toThrow('asDefault: true is not allowed');
});

test('it can be registered for several base paths, each with users and tokens of its own', async () => {
  const server = await protectedServer();
  const users = [{ id: 1, paraphrase: 'another' }];
  await server.register({ plugin: hydraAuth, options: { users, basePath: '/v2' } });
  const handler = ({ auth }: { auth: { strategy: string } }) => ({ by: auth.strategy });
  server.route([
    { method: 'GET', path: '/v2/me', handler },
    { method: 'GET', path: '/v2/named', options: { auth: 'hydrauth/v2' }, handler },
  ]);
  expectChallenge(await get(server, '/api/books'));
  const { headers } = await get(server, '/v2/none');
  expect(headers['link']).toContain('/v2/vocab>');
  const token = { 'x-authorization': await logIn(server) };
  expectChallenge(await get(server, '/v2/me', token));
  const nonce = headers['x-authentication'] as string;
  const login = await get(server, '/v2/me', { 'x-authentication': nonce, authorization: basic(1, 'another') });
  for (const path of ['/v2/me', '/v2/named'])
    expect((await get(server, path, { 'x-authorization': login.headers['x-authorization'] as string })).payload).toBe(
      '{"by":"hydrauth/v2"}',
    );
  for (const basePath of ['/api', '/v2/inner', ''])
    await expect(server.register({ plugin: hydraAuth, options: { users, basePath } })).rejects.toThrow(
      /^basePath: .* is protected already$/,
    );
});

test('a route with cors below the base path is warned of at the start', async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error) => warnings.push(message);
  process.on('warning', note);
  const quiet = await protectedServer({}, hapi({ routes: { cors: { origin: 'ignore' } } }));
  await quiet.initialize();
  const server = await protectedServer({}, hapi({ routes: { cors: true } }));
  server.route({ ...open, options: { cors: true } });
  await server.initialize();
  await new Promise(setImmediate);
  process.off('warning', note);
  expect(warnings).toEqual([expect.stringMatching(/^The route \/api\/books has cors on, .* origin to 'ignore'/)]);
});
