import { expect, test } from 'vitest';
import { startReferenceServer, type Trouble } from '../index.js';
import { controlled, logIn } from './controlling.js';
import { aliceBasic, basic, rawText } from './support.js';

/** What a client sees: status, body and Retry-After of the answer, or how it failed. */
async function seen(url: string, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<unknown> {
  try {
    const answer = await fetch(`${url}/books`, { headers, ...(signal && { signal }) });
    const { status } = answer;
    return await answer.text().then(
      (body) => [status, body, answer.headers.get('retry-after')],
      () => [status, 'cut off'],
    );
  } catch (error) {
    return (error as { cause?: { code?: string } }).cause?.code ?? 'gave up';
  }
}

const challenge = [401, '{"401":"Need credentials to authenticate"}', null];
const told = (status: number) => `{"${status}":"Trouble on demand"}`;
const late = 'late by 1 ms, answered with 502, body cut off';

test.each<[string, Trouble, unknown, object]>([
  ['a delay', { delayMs: 2 }, challenge, { step: 'A', trouble: { sentence: 'late by 2 ms', delayMs: 2 } }],
  ['a reset', { connection: 'reset' }, 'ECONNRESET', { step: 'A', trouble: { connection: 'reset' } }],
  ['a cut-off body', { connection: 'cut-off' }, [401, 'cut off'], { step: 'A', trouble: { connection: 'cut-off' } }],
  ['a 503', { status: 503 }, [503, told(503), null], { step: 'A', status: 503, because: [] }],
  ['a 429', { status: 429, headers: { 'Retry-After': '7' } }, [429, told(429), '7'], { reason: 'Trouble on demand: answered with 429.' }],
  ['any body', { status: 200, body: '<p>', headers: { 'content-type': 'text/html' } }, [200, '<p>', null], { step: 'A' }],
  ['a body as JSON', { status: 418, body: { tea: true } }, [418, '{"tea":true}', null], { bodyOctets: 12 }],
  ['several', { delayMs: 1, status: 502, connection: 'cut-off' }, [502, 'cut off'], { trouble: { sentence: late } }],
])('%s, over HTTP and in code, for the next request alone', async (_, trouble, met, recorded) => {
  const { server, call } = await controlled();
  const askFor = [() => call('POST', '/troubles', { ...trouble, next: 1 }), () => server.troubles.use({ ...trouble, next: 1 })];
  for (const [index, begin] of askFor.entries()) {
    await begin();
    expect((await server.state()).troubles).toMatchObject([{ number: index + 1, left: 1, held: 0 }]);
    expect(await seen(server.url)).toEqual(met);
    expect(server.recorded.at(-1)).toMatchObject(recorded);
    expect(server.recorded.at(-1)?.trouble?.number).toBe(index + 1);
    expect(server.troubles.on).toEqual([]);
    expect(await seen(server.url)).toEqual(challenge);
    expect(server.recorded.at(-1)).not.toHaveProperty('trouble');
  }
});

/** The requests of a login by each of two users, of one use of each token, and of what is no login. */
const journey = ['A', 'B of 1', 'B of 2', 'C of 1', 'C of 2', 'C of 1 elsewhere', 'C of nobody', 'half a login'] as const;

test.each<[Trouble, readonly (typeof journey)[number][]]>([
  [{}, journey],
  [{ step: 'A' }, ['A', 'half a login']],
  [{ step: 'B' }, ['B of 1', 'B of 2']],
  [{ step: 'C' }, ['C of 1', 'C of 2', 'C of 1 elsewhere', 'C of nobody']],
  [{ user: 2 }, ['B of 2', 'C of 2']],
  [{ step: 'C', user: 1, path: '/api/people' }, ['C of 1 elsewhere']],
  [{ path: '/api/*', next: 2 }, ['A', 'B of 1']],
  [{ method: 'POST' }, []],
  [{ state: 'nothing' }, ['A']],
  [{ state: 'incomplete credentials' }, ['half a login']],
  [{ state: 'nonce and credentials' }, ['B of 1', 'B of 2']],
  [{ state: 'valid token' }, ['C of 1', 'C of 2', 'C of 1 elsewhere']],
  [{ state: 'unknown token' }, ['C of nobody']],
])('trouble for %j is met by %j', async (use, expected) => {
  const { server, read } = await controlled();
  const [one, two] = [await server.issueToken(1), await server.issueToken(2)];
  const bring: Record<(typeof journey)[number], Parameters<typeof read>> = {
    A: [],
    'B of 1': [{ 'x-authentication': 'x', authorization: aliceBasic }],
    'B of 2': [{ 'x-authentication': 'x', authorization: basic(2, 'any') }],
    'C of 1': [{ 'x-authorization': one }],
    'C of 2': [{ 'x-authorization': two }],
    'C of 1 elsewhere': [{ 'x-authorization': one }, '/people?q'],
    'C of nobody': [{ 'x-authorization': 'x' }],
    'half a login': [{ 'x-authentication': 'x' }],
  };
  server.troubles.use({ status: 599, ...use });
  for (const each of journey) await read(...bring[each]);
  expect(journey.filter((_, index) => server.recorded[index]?.status === 599)).toEqual(expected);
});

test('a request is held until the trouble is off, or until the client gives up; a held one is recorded at once', async () => {
  const { server, call, read } = await controlled();
  server.troubles.use({ connection: 'hang', next: 2 });
  const over = new AbortController();
  const [answered, given] = [seen(server.url), seen(server.url, { 'x-authorization': 'x' }, over.signal)];
  for (const step of ['A', 'refused'] as const) await server.waitFor({ after: 0, step });
  expect(server.troubles.on).toMatchObject([{ number: 1, left: 0, held: 2, sentence: 'never answered' }]);
  expect((await read()).status).toBe(401);
  over.abort();
  expect(await given).toBe('gave up');
  await expect.poll(() => server.troubles.on[0]?.held).toBe(1);
  expect(await call('DELETE', '/troubles/1')).toEqual([204, undefined]);
  expect(await answered).toEqual(challenge);
  expect(server.recorded.map(({ trouble }) => trouble?.connection)).toEqual(['hang', 'hang', undefined]);
});

test.each<[string, (given: Awaited<ReturnType<typeof controlled>>) => Promise<unknown>, unknown[]]>([
  ['is cleared', async ({ call }) => expect(await call('DELETE', '/troubles')).toEqual([204, undefined]), ['A']],
  ['the server is reset', async ({ server }) => server.reset(), []],
  ['the server is closed', async ({ server }) => server.close(), ['A']],
])('a delayed request is answered when the trouble %s', async (_, end, steps) => {
  const given = await controlled();
  const { server, call } = given;
  server.troubles.use({ delayMs: 2 ** 31 - 1 });
  const answered = seen(server.url);
  await expect.poll(async () => (await call('GET', '/troubles'))[1]).toMatchObject([{ held: 1 }]);
  await end(given);
  expect(await answered).toEqual(challenge);
  expect([server.recorded.map(({ step }) => step), server.troubles.on]).toEqual([steps, []]);
});

test('an answer in place of the server leaves the nonce alone; one that is lost has spent it', async () => {
  const { server, read } = await controlled();
  const headers = { 'x-authentication': (await read()).headers.get('x-authentication') as string, authorization: aliceBasic };
  const troubles = [{ status: 503 }, { connection: 'reset' }] as const;
  for (const each of troubles) server.troubles.use({ ...each, step: 'B', next: 1 }); // the first that fits is met
  const [first, second, third] = [await seen(server.url, headers), await seen(server.url, headers), await seen(server.url, headers)];
  expect([first, second, third]).toEqual([[503, told(503), null], 'ECONNRESET', challenge]);
  expect(server.recorded.slice(1)).toMatchObject([
    { step: 'B', presented: { nonce: 'known', credentials: 'unchecked' } },
    { step: 'B', reason: 'Trouble on demand: connection reset. A token is given: nonce and credentials of user 1 are good.' },
    { step: 'refused', reason: 'Refused: the nonce was spent by exchange 3.' },
  ]);
});

test('a cut-off answer promises more octets than come, and the connection ends', async () => {
  const { server, read } = await controlled();
  const token = await logIn(read);
  server.troubles.use({ connection: 'cut-off' });
  const text = await rawText(server.url, `GET /api/books HTTP/1.1\r\nHost: x\r\nX-Authorization: ${token}\r\n\r\n`);
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(Number(/^content-length: (\d+)$/im.exec(head)?.[1]) - body.length).toBeGreaterThan(body.length - 1);
  expect(body.length).toBeGreaterThan(0);
});

test('an answer in place of the server uses up no fault', async () => {
  const { server, read } = await controlled();
  server.faults.use('nonce-missing', { next: 1 });
  server.troubles.use({ status: 204, next: 1 });
  const [met, faulty] = [await read(), await read()];
  expect([met.status, met.headers.get('content-length'), await met.text()]).toEqual([204, null, '']);
  expect([faulty.status, faulty.headers.get('x-authentication')]).toEqual([401, null]);
});

test('it works where nothing is recorded, and nothing is no trouble', async () => {
  await using server = await startReferenceServer({ recordLast: 0 });
  expect(() => server.troubles.use(null as unknown as Trouble)).toThrow(/null is not allowed; an object with delayMs, /);
  server.troubles.use({ connection: 'reset', next: 1 });
  expect([await seen(server.url), await seen(server.url)]).toEqual(['ECONNRESET', challenge]);
});
