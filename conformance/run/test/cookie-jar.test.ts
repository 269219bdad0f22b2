import { expect, test } from 'vitest';
import type { Answer } from '../../wire/index.js';
import { CookieJar } from '../cookie-jar.js';

let nowMs = 0;
const setting = (...lines: string[]): Answer => ({
  httpVersion: '1.1',
  status: 401,
  reason: '',
  headers: [['Date', 'Wed, 01 Jan 2020 00:00:00 GMT'], ...lines.map((line) => ['Set-Cookie', line] as const)],
  body: Buffer.alloc(0),
});
function jarOf(...lines: string[]): CookieJar {
  const jar = new CookieJar('Date', () => nowMs);
  jar.note('/api/books?page=1', setting(...lines));
  return jar;
}

test('keeps fifty, the oldest goes; one of more than 4,096 octets is not kept', () => {
  const jar = jarOf(...Array.from({ length: 150 }, (_, at) => `c${at}=1`), `large=${'x'.repeat(4096)}`);
  jar.note('/api/books', setting('c100=2'));
  const names = jar.lineFor('/api/books')?.split('; ') ?? [];
  expect([names.length, names[0], names.at(-1)]).toEqual([50, 'c101=1', 'c100=2']);
});

test('sends no longer a line than servers take, the newest first', () => {
  const line = jarOf(...Array.from({ length: 45 }, (_, at) => `c${at}=${'x'.repeat(600)}`), 'small=1').lineFor('/api/books');
  expect(line?.replace(/x+/g, 'x')).toBe('c39=x; c40=x; c41=x; c42=x; c43=x; c44=x; small=1');
});

test.each<[string, string | undefined, string | undefined]>([
  ['a=1', 'a=1', 'a=1'],
  ['a=1; Max-Age=10', 'a=1', undefined],
  ['a=1; max-age = 0', undefined, undefined],
  ['a=1; Max-Age=-5', undefined, undefined],
  ['a=1; Max-Age=soon', 'a=1', 'a=1'],
  // By the target's own clock, as its Date tells it.
  ['a=1; Expires=Wed, 01 Jan 2020 00:00:10 GMT', 'a=1', undefined],
  ['a=1; Expires=Tue, 31 Dec 2019 00:00:00 GMT', undefined, undefined],
  ['a=1; Expires=Tue, 31 Dec 2019 00:00:00 GMT; Max-Age=60', 'a=1', 'a=1'],
  ['a="x=y"', 'a="x=y"', 'a="x=y"'],
  ['=1', undefined, undefined],
  ['nothing', undefined, undefined],
  ['__proto__=1', '__proto__=1', '__proto__=1'],
])('%s: %s at first, %s after 20 s', (line, first, later) => {
  const jar = jarOf(line);
  const before = jar.lineFor('/api/books');
  nowMs += 20_000;
  expect([before, jar.lineFor('/api/books')]).toEqual([first, later]);
});

test.each([
  ['a=1', '/api/people', true],
  ['a=1', '/other', false],
  ['a=1', '/apis', false],
  ['a=1; Path=/api/books', '/api/books/1?x', true],
  ['a=1; Path=/api/books', '/api/people', false],
  ['a=1; Path=/', 'http://127.0.0.1:80', true],
  ['a=1; Path=elsewhere', 'http://127.0.0.1/api/x', true],
])('%s goes to %s: %s', (line, target, goes) => {
  expect(jarOf(line).lineFor(target) !== undefined).toBe(goes);
});
