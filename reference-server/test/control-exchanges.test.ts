import { expect, onTestFinished, test } from 'vitest';
import type { RecordedExchange } from '../index.js';
import { type Calling, controlled, logIn } from './controlling.js';

type Listed = { readonly exchanges: RecordedExchange[]; readonly last: number; readonly missed: number };
const list = async (call: Calling, query = '') => (await call('GET', `/exchanges${query}`))[1] as Listed;
const numbers = ({ exchanges }: Listed) => exchanges.map(({ number }) => number);

test('lists what fits', async () => {
  const { server, call, read } = await controlled();
  const token = await logIn(read); // 1, 2
  await read({ 'x-authorization': token }); // 3
  await read({ 'x-authorization': token }, '/people?x=1', 'POST'); // 4
  await read({ 'x-authorization': 'none' }, '/vocab'); // 5
  expect(numbers(await list(call))).toEqual([1, 2, 3, 4, 5]);
  expect(numbers(await list(call, '?after=2&limit=2'))).toEqual([3, 4]);
  expect(numbers(await list(call, '?method=post'))).toEqual([4]);
  expect(numbers(await list(call, '?path=/api/people'))).toEqual([4]);
  expect(numbers(await list(call, '?path=/api/*&status=401'))).toEqual([1, 5]);
  for (const [step, number] of Object.entries({ A: 1, B: 2, refused: 5 }))
    expect(numbers(await list(call, `?step=${step}`))).toEqual([number]);
  expect((await list(call)).exchanges).toEqual(server.recorded);
});

test('keeps the last ones in a ring, and says what is missed', async () => {
  const { call, read } = await controlled({ recordLast: 3 });
  for (let count = 0; count < 5; count++) await read();
  expect(await list(call, '?after=1')).toMatchObject({ exchanges: [{ number: 3 }, { number: 4 }, { number: 5 }], last: 5, missed: 1 });
});

test('waits for the next one that fits', async () => {
  const { server, call, read } = await controlled();
  await read();
  const waiting = call('GET', '/exchanges/next?after=1&path=/api/people');
  const same = server.waitFor({ path: '/api/people' });
  await read();
  await read({}, '/people');
  expect(await same).toMatchObject({ number: 3 });
  expect((await waiting)[1]).toEqual(await same);
  expect((await call('GET', '/exchanges/next?after=0'))[1]).toMatchObject({ number: 1 });
  expect(await call('GET', '/exchanges/next?timeout=0')).toEqual([204, undefined]);
  await expect(server.waitFor({ status: 418, timeoutMs: 1 })).rejects.toThrow(
    'no exchange fits {"status":418} within 1 ms; the last were GET /api/books 401, GET /api/books 401, GET /api/people 401',
  );
  await expect(server.waitFor({ state: 1 } as object)).rejects.toThrow('state: there is no such option; allowed are after, method');
});

test('many may wait one after the other on one connection, and whoever hangs up is forgotten', async () => {
  const { server, call, url, token } = await controlled();
  const warnings: string[] = [];
  const warn = (warning: Error) => warnings.push(warning.message);
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  for (let count = 0; count < 15; count++) expect((await call('GET', '/exchanges/next?timeout=0'))[0]).toBe(204);
  const hangUp = new AbortController();
  const hanging = fetch(`${url}/exchanges/next`, { headers: { authorization: `Bearer ${token}` }, signal: hangUp.signal });
  hangUp.abort();
  await expect(hanging).rejects.toThrow('abort');
  await server.close();
  expect(warnings).toEqual([]);
});

test('JavaScript can go through them as they happen', async () => {
  const { server, read } = await controlled();
  const until = new AbortController();
  await read();
  await read();
  const seen: number[] = [];
  for await (const { number } of server.exchanges({ after: 1, until: until.signal })) {
    seen.push(number);
    if (number < 4) await read();
    else until.abort();
  }
  expect(seen).toEqual([2, 3, 4]);
});

/** Reads events until one fulfils the condition. */
async function watching(url: string, token: string, headers: Record<string, string> = {}) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const answer = await fetch(`${url}/exchanges/events`, { headers: { authorization: `Bearer ${token}`, ...headers }, signal: stop.signal });
  const reader = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return async (name: string): Promise<{ id?: string; data: Record<string, unknown> }> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end < 0) text += (await reader.read()).value ?? '';
      else {
        const lines = text.slice(0, end).split('\n');
        const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)));
        text = text.slice(end + 2);
        if (fields.event === name) return { id: fields.id, data: JSON.parse(fields.data) };
      }
    }
  };
}

test('server-sent events: what is kept, what comes, what changes, and a reset', async () => {
  const { server, call, read, url, token } = await controlled();
  await read();
  const next = await watching(url, token);
  expect(await next('exchange')).toMatchObject({ id: '1', data: { number: 1, step: 'A' } });
  await read();
  expect(await next('exchange')).toMatchObject({ id: '2' });
  await call('POST', '/clock', { advanceMs: 1000 });
  expect(await next('change')).toMatchObject({ data: { nowMs: server.clock.now() } });
  server.faults.use('token-once', { next: 1 });
  expect(await next('change')).toMatchObject({ data: { faults: [{ id: 'token-once', left: 1 }] } });
  await read();
  expect(await next('exchange')).toMatchObject({ data: { faults: ['token-once'] } });
  expect(await next('change')).toMatchObject({ data: { faults: [] } });
  await server.reset();
  await next('reset');
  expect(await next('change')).toMatchObject({ data: { exchanges: { last: 3, kept: 0 } } });
});

test('whoever comes back is told from there on, and how much was missed', async () => {
  const { read, url, token } = await controlled({ recordLast: 2 });
  for (let count = 0; count < 5; count++) await read();
  const next = await watching(url, token, { 'last-event-id': '1' });
  expect((await next('missed')).data).toEqual({ missed: 2 });
  expect((await next('exchange')).id).toBe('4');
});

test('a clock that is moved without control is seen, too', async () => {
  const { server, url, token } = await controlled();
  const next = await watching(url, token);
  (server.clock as { advance(by: object): number }).advance({ minutes: 1 });
  expect((await next('change')).data['nowMs']).toBe(server.clock.now());
});
