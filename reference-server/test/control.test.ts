import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from '../../spec/index.js';
import { controlled, logIn } from './controlling.js';
import { aliceBasic, basic } from './support.js';

const document = parse(readFileSync(packageFile('spec', 'control.yaml'), 'utf8'));
const ajv = new Ajv2020({ strict: false });
(formats as unknown as (to: Ajv2020) => void)(ajv);
ajv.addSchema(document, 'control');

function expectValid(schema: string, value: unknown): void {
  const isValid = ajv.getSchema(`control#/components/schemas/${schema}`);
  expect([isValid?.(value), isValid?.errors]).toEqual([true, null]);
}

test('every path and method of the document is there, and no other', async () => {
  const { call } = await controlled();
  const [, missing] = await call('GET', '/nothing');
  const paths = Object.keys(document.paths).sort();
  expect((missing as Record<string, string>)['404']).toBe(`there is nothing at /nothing; allowed are ${paths.join(', ')}`);
  for (const path of paths) {
    const methods = Object.keys(document.paths[path]).filter((key) => key !== 'parameters');
    const [status, body] = await call('PATCH', path.replace('{number}', '1').replace('{id}', 'x'));
    const told = /; (.*) is$/
      .exec((body as Record<string, string>)['405'] as string)?.[1]
      ?.toLowerCase()
      .split(', ');
    expect([status, told?.sort()]).toEqual([405, methods.sort()]);
  }
});

test('answers are as the document says', async () => {
  const { call, read } = await controlled();
  const token = await logIn(read);
  await read({ 'x-authorization': token });
  await call('PUT', '/faults/token-once', { next: 2, path: '/api/*', method: 'GET', state: 'valid token' });
  const [, trouble] = await call('POST', '/troubles', {
    delayMs: 0,
    status: 503,
    body: {},
    headers: { A: 'b' },
    step: 'C',
    user: 1,
    next: 2,
  });
  expectValid('Trouble', trouble);
  await read({ 'x-authorization': token });
  const [, list] = await call('GET', '/exchanges');
  expectValid('Exchanges', list);
  expect((list as { exchanges: unknown[] }).exchanges).toHaveLength(4);
  const [, state] = await call('GET', '/state');
  expectValid('State', state);
  expect(state).toMatchObject({
    clock: 'manual',
    users: [1, 2, 3],
    tokens: [{ number: 1, user: 1 }],
    faults: [{ id: 'token-once', left: 2 }],
    troubles: [{ status: 503, left: 1, held: 0 }],
  });
  expect(JSON.stringify([list, state])).not.toContain(token);
  const [, faults] = await call('GET', '/faults');
  for (const each of faults as unknown[]) expectValid('Switch', each);
  expectValid('Error', (await call('GET', '/nothing'))[1]);
});

test('users come and go', async () => {
  const { call, read } = await controlled();
  expect(await logIn(read, basic(8, 'late'))).toBeNull();
  expect(await call('POST', '/users', { id: 8, paraphrase: 'late' })).toEqual([204, undefined]);
  expect(await call('GET', '/users')).toEqual([200, [1, 2, 3, 8]]);
  expect(await logIn(read, basic(8, 'late'))).toMatch(/./);
  expect(await call('DELETE', '/users/8')).toEqual([204, undefined]);
  expect(await logIn(read, basic(8, 'late'))).toBeNull();
  expect(await call('DELETE', '/users/8')).toEqual([404, { 404: 'removeUser: there is no user 8; there are 1, 2, 3' }]);
});

test('tokens are issued and end, by number and by value', async () => {
  const { call, read } = await controlled();
  const [, issued] = await call('POST', '/tokens', { user: 2 });
  expect(issued).toEqual({ number: 1, token: expect.any(String), user: 2 });
  const [, { token }] = (await call('POST', '/tokens')) as [number, { token: string }];
  const first = (issued as { token: string }).token;
  expect([(await read({ 'x-authorization': first })).status, (await read({ 'x-authorization': token })).status]).toEqual([200, 200]);
  expect(await call('POST', '/tokens/1/expire')).toEqual([204, undefined]);
  expect(await call('POST', '/tokens/expire', { token })).toEqual([204, undefined]);
  expect([(await read({ 'x-authorization': first })).status, (await read({ 'x-authorization': token })).status]).toEqual([401, 401]);
  expect(await call('POST', '/tokens/7/expire')).toEqual([404, { 404: 'expire: there is no token 7; no token lives' }]);
  expect((await call('POST', '/tokens', { user: 99 }))[0]).toBe(404);
});

test('nonces end, by number and by value', async () => {
  const { server, call, read } = await controlled();
  const nonces = [await read(), await read(), await read()].map(({ headers }) => headers.get('x-authentication') as string);
  expect(await call('POST', '/nonces/1/expire')).toEqual([204, undefined]);
  expect(await call('POST', '/nonces/expire', { nonce: nonces[1] })).toEqual([204, undefined]);
  const statuses = [];
  for (const nonce of nonces) statuses.push((await read({ 'x-authentication': nonce, authorization: aliceBasic })).status);
  expect(statuses).toEqual([401, 401, 200]);
  expect(server.recorded.at(-3)?.presented.nonce).toBe('expired');
  expect(await call('POST', '/nonces/99/expire')).toEqual([
    404,
    { 404: expect.stringContaining('there is no nonce 99 that opens; there are 4, 5') },
  ]);
});

test('the clock is read and moved, unless it is that of the system', async () => {
  const { server, call } = await controlled();
  const now = server.clock.now();
  expect(await call('POST', '/clock', { advanceMs: 1500 })).toEqual([200, { now: new Date(now + 1500).toISOString() }]);
  expect(await call('GET', '/clock')).toEqual([200, { now: new Date(now + 1500).toISOString() }]);
  const system = await controlled({ clock: 'system' });
  expect(await system.call('POST', '/clock', { advanceMs: 1 })).toEqual([409, { 409: expect.stringContaining('--clock manual') }]);
});

test('reset is as after the start; numbers go on', async () => {
  const { server, call, read } = await controlled({ faults: ['token-once'] });
  const token = await logIn(read);
  const nonce = (await read()).headers.get('x-authentication') as string;
  await call('DELETE', '/faults/token-once');
  await call('POST', '/users', { id: 8, paraphrase: 'late' });
  await call('POST', '/clock', { advanceMs: 1000 });
  const now = server.clock.now();
  expect(await call('POST', '/reset')).toEqual([204, undefined]);
  expect(server.clock.now()).toBe(now);
  const { users, tokens, nonces, faults, exchanges } = await server.state();
  expect([users, tokens, nonces, faults.map(({ id }) => id), exchanges]).toEqual([[1, 2, 3], [], [], ['token-once'], { last: 3, kept: 0 }]);
  expect((await read({ 'x-authorization': token })).status).toBe(401);
  expect((await read({ 'x-authentication': nonce, authorization: aliceBasic })).status).toBe(401);
  expect(await logIn(read, basic(8, 'late'))).toBeNull();
  expect(server.recorded.map(({ number }) => number)).toEqual([4, 5, 6, 7]);
});

test.each([
  ['POST', '/clock', '{', 400, 'the body is no JSON object; one with advanceMs (a whole number of 0 or more) is allowed'],
  ['POST', '/clock', '[]', 400, 'the body is no JSON object'],
  ['POST', '/clock', {}, 400, 'advanceMs is missing'],
  ['POST', '/clock', { advanceMs: -1 }, 400, 'advanceMs: -1 is not allowed; a whole number of 0 or more is'],
  ['POST', '/clock', { advance: 1 }, 400, 'advance: there is no such option; allowed are advanceMs'],
  ['POST', '/clock', 'x'.repeat(70_000), 413, '65536 octets are allowed'],
  ['POST', '/users', { id: '8', paraphrase: 'x' }, 400, 'id: "8" is not allowed; an integer is'],
  ['POST', '/users', { id: 8 }, 400, 'the paraphrase of user 8 is not allowed'],
  ['POST', '/tokens/expire', {}, 400, 'token is missing'],
  ['POST', '/nonces/expire', { nonce: 'x' }, 404, 'expire: there is no token of this text'],
  ['GET', '/exchanges?after=x', undefined, 400, 'after: "x" is not allowed; a whole number of 0 or more is'],
  ['GET', '/exchanges?step=D', undefined, 400, 'step: "D" is not allowed; A or B or C or refused or other is'],
  ['GET', '/exchanges?path=books', undefined, 400, 'path: "books" is not allowed; a path such as /api/books or /api/* is'],
  ['GET', '/exchanges/next?timeout=301', undefined, 400, 'timeout: 301 is not allowed; a number of seconds from 0 to 300 is'],
  ['GET', '/exchanges/events?after=-1', undefined, 400, 'after: -1 is not allowed'],
  ['PUT', '/faults/token-onze', {}, 404, 'there is no fault "token-onze". Near it is token-once'],
  ['PUT', '/faults/token-once', { next: 0 }, 400, 'next: 0 is not allowed; a whole number of 1 or more is'],
  ['PUT', '/faults/token-once', { state: 'drunk' }, 400, 'state: "drunk" is not allowed; one of nothing, valid token'],
  ['PUT', '/faults/token-once', { step: 'C', state: 'nothing' }, 400, 'step: C is not allowed beside the state nothing; A is'],
  ['POST', '/troubles', {}, 400, 'trouble: nothing goes wrong so; delayMs, connection or status is needed'],
  ['POST', '/troubles', { delay: 5 }, 400, 'delay: there is no such option; allowed are delayMs, connection, status, headers, body, next'],
  ['POST', '/troubles', { delayMs: -1 }, 400, 'delayMs: -1 is not allowed; a whole number from 0 to 2147483647 is'],
  ['POST', '/troubles', { connection: 'drop' }, 400, 'connection: "drop" is not allowed; hang or reset or cut-off is'],
  ['POST', '/troubles', { status: 101 }, 400, 'status: 101 is not allowed; a whole number from 200 to 599 is'],
  ['POST', '/troubles', { status: 503, connection: 'hang' }, 400, 'status: 503 is not allowed beside the connection hang'],
  ['POST', '/troubles', { delayMs: 1, body: 'x' }, 400, 'status: it is needed beside headers and body'],
  ['POST', '/troubles', { status: 503, headers: { 'a b': 'c' } }, 400, 'headers: "a b" is no name of a header'],
  ['POST', '/troubles', { status: 429, headers: { 'Retry-After': 5 } }, 400, 'header names and values, each a text'],
  ['POST', '/troubles', { status: 503, headers: { 'Retry-After': '5\r\n' } }, 400, 'headers: the value of Retry-After has a character'],
  ['POST', '/troubles', { status: 204, body: 'x' }, 400, 'an answer with 204 has none'],
  ['POST', '/troubles', { status: 503, method: 'GTE' }, 400, 'method: "GTE" is not allowed; a method such as GET is'],
  ['POST', '/troubles', { status: 503, user: 99 }, 400, 'user: there is no user 99; there are '],
  ['POST', '/troubles', { status: 503, step: 'D' }, 400, 'step: "D" is not allowed; A or B or C is'],
  ['POST', '/troubles', { status: 503, user: 'one' }, 400, 'user: "one" is not allowed; an integer is'],
  ['POST', '/troubles', { status: 503, next: 0 }, 400, 'next: 0 is not allowed; a whole number of 1 or more is'],
  ['POST', '/troubles', { status: 503, path: '/books' }, 400, 'the whole path is needed, such as /api/books'],
  ['DELETE', '/troubles/7', undefined, 404, 'troubles: there is no trouble 7; there are none'],
  ['DELETE', '/troubles/x', undefined, 404, 'troubles: there is no trouble x; there are none'],
  ['PUT', '/variants/one-user', {}, 409, 'one-user can only be chosen when the server is started, with --variant one-user'],
  ['DELETE', '/users/%zz', undefined, 400, 'percent-encoded'],
  ['DELETE', '/users/eight', undefined, 404, 'there is no user eight; there are 1, 2, 3'],
])('%s %s with %j is answered with %i and says what is allowed', async (method, path, body, status, sentence) => {
  const { call } = await controlled();
  const [got, told] = await call(method, path, body);
  expect([got, told]).toEqual([status, { [status]: expect.stringContaining(sentence) }]);
});
