import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, readBody } from '../index.js';
import { tooDeep } from '../json.js';
import { answer } from './answers.js';

const parse = (text: string) => parseJson(Buffer.from(text));

test('every JSON value is read as it is, without complaint', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(parse(text)).toEqual({ value: JSON.parse(text), duplicates: [], bom: false });
    }),
  );
});

test('repeated members are found wherever they are, and only they', () => {
  expect(parse('{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}').duplicates).toEqual([]);
  expect(parse('{"a":1,"\\u0061":2}')).toEqual({ value: { a: 2 }, duplicates: ['/a'], bom: false });
  expect(parse('[0,{"x":[1,{"a/b":"}\\"","a/b":2}]}]').duplicates).toEqual(['/1/x/1/a~1b']);
  expect(parse('{"__proto__":1,"__proto__":2}').duplicates).toEqual(['/__proto__']);
  expect(parse(`{${'"a":1,'.repeat(50_000)}"a":1}`).duplicates).toHaveLength(20);
  // A long name is not kept with each of them.
  expect(parse(`{"${'x'.repeat(1_000_000)}":{${'"a":1,'.repeat(30)}"a":1}}`).duplicates.join('').length).toBeLessThan(200_000);
});

test('members named __proto__ are members and nothing more', () => {
  const { value } = parse('{"__proto__":{"polluted":true}}');
  expect(Object.keys(value as object)).toEqual(['__proto__']);
  expect((value as { polluted?: unknown }).polluted).toBeUndefined();
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test('a byte-order mark is seen and read over, once', () => {
  expect(parse('\ufeff{}')).toEqual({ value: {}, duplicates: [], bom: true });
  expect(parse('\ufeff\ufeff{}').problem).toMatch(/not JSON/);
});

test.each([
  ['', 'empty'],
  ['{', 'not JSON'],
  ['{"a":NaN}', 'not JSON'],
  ["{'a':1}", 'not JSON'],
  ['{"a":1,}', 'not JSON'],
  [Buffer.from([0x7b, 0xff, 0x7d]), 'not UTF-8'],
  [Buffer.from([0xed, 0xa0, 0x80]), 'not UTF-8'],
  [Buffer.from('\ufeff{}', 'utf16le'), 'UTF-16'],
  [gzipSync('{}'), 'gzip'],
  ['['.repeat(200_000), 'levels deep'],
  [`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`, 'levels deep'],
])('what is wrong is a sentence', (octets, words) => {
  const { value, problem } = parseJson(Buffer.from(octets as string));
  expect(value).toBeUndefined();
  expect(problem).toContain(words);
});

test('brackets within texts are not depth', () => {
  expect(parse(`["${'['.repeat(5000)}", "\\"${'{'.repeat(5000)}"]`).problem).toBeUndefined();
  expect(parse(`${'['.repeat(1000)}${']'.repeat(1000)}`).problem).toBeUndefined();
  expect(parse(`[${'[],'.repeat(5000)}[]]`).problem).toBeUndefined();
});

test('content codings are undone, within limits', () => {
  const coded = (name: string, body: Buffer) => readBody(answer([['Content-Encoding', name]], body));
  expect(coded('gzip', gzipSync('{"a":1}')).value).toEqual({ a: 1 });
  expect(coded('X-GZIP', gzipSync('{"a":1}')).value).toEqual({ a: 1 });
  expect(coded('deflate', deflateSync('{"a":1}')).value).toEqual({ a: 1 });
  expect(coded('deflate', deflateRawSync('{"a":1}')).value).toEqual({ a: 1 });
  expect(coded('br', brotliCompressSync('{"a":1}')).value).toEqual({ a: 1 });
  expect(coded('identity', Buffer.from('{}')).value).toEqual({});
  expect(coded('gzip, br', brotliCompressSync(gzipSync('{}'))).value).toEqual({});
  expect(coded('gzip', Buffer.from('{}')).problem).toMatch(/cannot be decompressed/);
  expect(coded('zip', Buffer.from('{}')).problem).toMatch(/unknown content coding/);
  expect(coded('constructor', Buffer.from('{}')).problem).toMatch(/unknown content coding/);
  expect(coded('gzip', gzipSync(Buffer.alloc(50 * 1024 * 1024))).problem).toMatch(/Decompressed, the body has more than/);
  expect(coded('gzip,'.repeat(50), gzipSync('{}')).problem).toMatch(/compressed 50 times/);
});

test('octets that two answers share are read as each of them is coded', () => {
  const body = Buffer.from('{}');
  const readings = [[], [['Content-Encoding', 'gzip'] as const], []].map((headers) => readBody({ ...answer(headers), body }).problem);
  expect(readings).toEqual([undefined, 'The body cannot be decompressed as gzip.', undefined]);
});

test('of large bodies only what was read last is kept', () => {
  const large = (name: string) => answer([], Buffer.from(JSON.stringify({ [name]: 'x'.repeat(100_000) })));
  const [one, other] = [large('a'), large('b')];
  const first = readBody(one);
  expect(readBody(one)).toBe(first);
  readBody(other);
  expect(readBody(one)).not.toBe(first);
  expect(readBody(one)).toEqual(first);
});

test('of what has too much in it, or does not fit when it is unpacked, it is said that nobody read it', () => {
  const names = (count: number) => `{${Array.from({ length: count }, (_, at) => `"${at}":0`).join()}}`;
  const unread: [Buffer, ...[string, string][]][] = [
    [Buffer.from(`[${'[],'.repeat(600_000)}1]`)],
    [Buffer.from(`[${'1,'.repeat(1_200_000)}1]`)],
    [Buffer.from(names(100_001))],
    [gzipSync(JSON.stringify('x'.repeat(6_000_000))), ['Content-Encoding', 'gzip']],
    [Buffer.from('(\xb5/\xfd', 'latin1'), ['Content-Encoding', 'zstd']],
  ];
  for (const [body, ...headers] of unread) expect(readBody(answer(headers, body))).toMatchObject({ isUnread: true });
  for (const text of [`[${'1,'.repeat(900_000)}1]`, names(100_000), `[${'{"a":1},'.repeat(300_000)}1]`])
    expect(readBody(answer([], Buffer.from(text))).problem).toBeUndefined();
  expect(tooDeep(`[${'1,'.repeat(100)}1]`, 10, 50)).toBe(true);
  // The names of a text that does not end take no longer than others.
  expect(readBody(answer([], Buffer.from(`"${'\\"'.repeat(2_000_000)}`))).problem).toMatch(/not JSON/);
});
