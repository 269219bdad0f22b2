import { expect, test, vi } from 'vitest';
import type { Exchange } from '../../wire/index.js';
import { createExpander } from '../index.js';
import { answer, exchange } from './answers.js';

const baseUrl = new URL('http://api.example:8080/api');
const documentUrl = 'http://api.example:8080/api/drones';

function expander(contexts: Record<string, string | Exchange | (() => Promise<Exchange>)> = {}, timeoutMs?: number) {
  const asked: string[] = [];
  const fetchContext = async (url: URL) => {
    asked.push(url.href);
    const found = contexts[url.pathname];
    if (typeof found === 'function') return found();
    return typeof found === 'string' ? exchange(answer([], found)) : (found ?? exchange(answer([], '{}', 404)));
  };
  const judge = createExpander({ baseUrl, fetchContext, ...(timeoutMs && { timeoutMs }) });
  return { asked, expand: (value: unknown) => judge.expand(value, documentUrl) };
}

// The first test, because the library is loaded once.
test('the time for a document begins when the library is loaded', async () => {
  expect(await expander({}, 1).expand({ '@id': '#a' })).toEqual({ ok: true });
});

test.each([
  { '401': 'Need credentials to authenticate' },
  {},
  [],
  [{ '@id': '#a' }],
  { '@context': { name: 'http://schema.org/name' }, name: 'x' },
  { '@context': 'http://www.w3.org/ns/hydra/core', '@type': 'Collection', member: [{ '@id': '/api/drones/1' }] },
  { '@context': 'https://www.w3.org/ns/hydra/context.jsonld', '@type': 'ApiDocumentation', supportedClass: [] },
  { '@context': ['http://www.w3.org/ns/hydra/core#', { '@vocab': '/api/vocab#' }], 'hydra:title': 'x' },
  JSON.parse('{"@context":{"@vocab":"http://x.example/"},"__proto__":{"a":1}}'),
])('is valid JSON-LD, without asking anybody: %j', async (value) => {
  const { asked, expand } = expander();
  expect(await expand(value)).toEqual({ ok: true });
  expect(asked).toEqual([]);
});

test.each<[unknown, RegExp]>([
  ['http://api.example:8080/api/c', /an object or an array/],
  [null, /an object or an array/],
  [{ '@id': 5 }, /@id/],
  [{ '@context': 5 }, /@context/],
  [{ '@context': { a: { '@id': 'http://a', '@type': 5 } }, a: 1 }, /type/],
  [{ '@value': { a: 1 } }, /@value/],
  [{ '@context': 'file:///etc/passwd' }, /is not an HTTP address/],
  [{ '@context': 'data:application/json,{}' }, /is not an HTTP address/],
])('is not JSON-LD: %j', async (value, words) => {
  const { asked, expand } = expander();
  expect(await expand(value)).toMatchObject({ ok: false, judgeable: true, problem: expect.stringMatching(words) });
  expect(asked).toEqual([]);
});

test('contexts of the target are read once, wherever they are mentioned', async () => {
  // It may come with any status of success.
  const { asked, expand } = expander({ '/api/c': exchange(answer([], '{"@context":{"a":"http://x.example/a"}}', 203)) });
  for (const context of ['/api/c', 'c', ['c', 'c'], 'http://api.example:8080/api/c'])
    expect(await expand({ '@context': context, a: 1 })).toEqual({ ok: true });
  expect(asked).toEqual(['http://api.example:8080/api/c']);
});

test('contexts of others are never asked for, and nothing is judged by them', async () => {
  const { asked, expand } = expander({ '/api/c': '{"@context":"https://evil.example/"}' });
  for (const context of [
    'https://schema.org/',
    'http://api.example/api/c',
    'https://api.example:8080/c',
    '//evil.example/',
    '/api/c',
    { '@import': 'http://evil.example/' },
  ]) {
    expect(await expand({ '@context': context })).toMatchObject({
      ok: false,
      judgeable: false,
      problem: expect.stringContaining('another origin'),
    });
  }
  expect(asked).toEqual(['http://api.example:8080/api/c']);
});

const endless = new Proxy({}, { get: (_, path) => `{"@context":"${String(path)}x"}` });

test.each([
  ['itself', { '/c': '{"@context":"/c"}' }, true],
  ['each other', { '/c': '{"@context":"/d"}', '/d': '{"@context":"/c"}' }, true],
  ['an error', { '/c': exchange(answer([], '{}', 500)) }, true],
  ['no JSON', { '/c': '<html>' }, true],
  ['no object', { '/c': '5' }, true],
  ['endless depth', { '/c': '['.repeat(200_000) }, true],
  ['a redirect', { '/c': exchange(answer([['Location', 'http://evil.example/']], '', 302)) }, false],
  ['a lost connection', { '/c': exchange(undefined, 'GET', { code: 'closed', message: 'Gone.' }) }, false],
  ['too many requests', { '/c': exchange(answer([], '', 429)) }, false],
  ['a budget that is spent', { '/c': () => Promise.reject(new Error('the budget of 86 requests was spent')) }, false],
  ['another one for every context', endless, false],
  ['megabytes', { '/c': `{"@context":{"a":"http://a/${'x'.repeat(2_000_000)}"}}` }, false],
])('a context that leads to %s', async (_, contexts, judgeable) => {
  const { asked, expand } = expander(contexts);
  expect(await expand({ '@context': '/c' })).toMatchObject({ ok: false, judgeable, problem: expect.stringMatching(/\S/) });
  expect(asked.length).toBeLessThanOrEqual(20);
});

test('a context that never comes is not waited for', async () => {
  const { expand } = expander({ '/c': () => new Promise(() => undefined) }, 20);
  expect(await expand({ '@context': '/c' })).toMatchObject({ ok: false, judgeable: false, problem: 'Expansion took longer than 20 ms.' });
});

test('what could not be judged is tried again, what was judged is not', async () => {
  let good = false;
  const { asked, expand } = expander({
    '/c': async () => (good ? exchange(answer([], '{"@context":{}}')) : exchange(undefined, 'GET', { code: 'timeout', message: 'Late.' })),
    '/d': '[]x',
  });
  expect((await expand({ '@context': '/c' })).ok).toBe(false);
  good = true;
  expect((await expand({ '@context': '/c' })).ok).toBe(true);
  await expand({ '@context': '/d' });
  await expand({ '@context': '/d' });
  expect(asked.filter((url) => url.endsWith('/d'))).toHaveLength(1);
});

test('documents too deep or too long for the library are not judged', async () => {
  const { expand } = expander();
  let deep: unknown = { '@id': 'x' };
  for (let depth = 0; depth < 900; depth += 1) deep = { a: deep };
  expect(await expand({ '@context': { '@vocab': 'http://x/' }, deep })).toMatchObject({ ok: false, judgeable: false });
  expect(await expand({ '@id': 'x'.repeat(3_000_000) })).toMatchObject({ ok: false, judgeable: false });
  const nodes = Array.from({ length: 60_000 }, (_, at) => ({ '@id': `#${at}` }));
  expect(await expand({ '@context': {}, 'http://x/': nodes })).toMatchObject({ ok: false, judgeable: false });
});

test('documents that take long together are not expanded to the last one', async () => {
  const { expand } = expander();
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 15_000));
  const documents = [1, 2, 3].map((at) => ({ '@context': { name: `http://x/${at}` }, '@id': 'x' }));
  const outcomes = [];
  for (const each of documents) outcomes.push((await expand(each)).ok);
  clock.mockRestore();
  expect(outcomes).toEqual([true, true, false]);
});

test.each<[string, object]>([
  [
    'for each of its nodes',
    { '@graph': Array.from({ length: 6000 }, (_, at) => ({ '@context': [{ [`u${at}`]: 'http://x/u' }, '/c'], '@id': '#a' })) },
  ],
  ['in itself', { '@context': [{ a: { '@id': 'http://x/a', '@context': ['/c', '/d'] } }, '/c'], a: [{ a: [{ a: {} }] }] }],
])('a document that copies a large context %s is not expanded to its end', async (_, document) => {
  const terms = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`t${at}`, `http://x/${at}`]));
  const own = { b: { '@id': 'http://x/b', '@context': '/d' }, ...terms };
  const contexts = { '/c': JSON.stringify({ '@context': terms }), '/d': JSON.stringify({ '@context': own }) };
  const { expand } = expander(contexts, 120_000);
  let turns = 0;
  const counting = setInterval(() => (turns += 1));
  const problem = 'The contexts of the document bring more than 300000 terms.';
  expect(await expand(document)).toEqual({ ok: false, judgeable: false, problem });
  clearInterval(counting);
  // Others have their turn meanwhile.
  expect(turns).toBeGreaterThan(3);
});
