import { describe, expect, test } from 'vitest';
import { spec } from '../../../spec/index.js';
import { fromTarget } from '../../wire/index.js';
import { allowOrigin, contentLength, contentType, date, dateFormat, notRepeated } from '../index.js';
import { answer, exchange } from './answers.js';

const { protocol } = spec;

describe('content type', () => {
  test.each([
    'application/ld+json',
    'Application/LD+JSON',
    'application/ld+json; charset=utf-8',
    'application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted; x"',
    'application/ld+json ; charset="UTF-8" ;',
    'application/ld+json; charset',
  ])('%s is the same type', (value) => {
    expect(contentType(answer([['content-TYPE', value]]), protocol)).toEqual({ ok: true });
  });

  test.each([
    'application/json',
    'application/ld+json+x',
    'application/ld+jsonx',
    'text/html; x="application/ld+json"',
    '',
    'application/ld+json, text/html',
    'ld+json',
  ])('"%s" is another', (value) => {
    expect(contentType(answer([['Content-Type', value]]), protocol)).toEqual({
      ok: false,
      expected: 'Content-Type: application/ld+json',
      actual: `Content-Type: ${fromTarget(value)}`,
    });
  });

  test('none is none, the same twice is fine, another beside it is not', () => {
    const line = ['Content-Type', 'application/ld+json'] as const;
    expect(contentType(answer(), protocol)).toMatchObject({ ok: false, actual: 'no Content-Type header' });
    expect(contentType(answer([line, line]), protocol).ok).toBe(true);
    expect(contentType(answer([line, ['content-type', 'text/html']]), protocol).ok).toBe(false);
  });
});

test('allowed origin', () => {
  const judged = (...values: string[]) =>
    allowOrigin(answer(values.map((value) => ['access-control-allow-origin', value] as const)), protocol).ok;
  expect([judged('*'), judged('*', '*')]).toEqual([true, true]);
  for (const wrong of [[], ['null'], ['https://a.example'], ['*', 'null'], ['*, *']]) expect(judged(...wrong)).toBe(false);
});

describe('content length', () => {
  const judged = (value: string | undefined, body: string, method = 'GET', status = 200, problem?: 'length' | 'timeout') =>
    contentLength(
      exchange(
        answer(value === undefined ? [] : [['content-length', value]], body, status),
        method,
        problem && { code: problem, message: 'Wrong.' },
      ),
      protocol,
    );

  test('equals the octets of the body', () => {
    expect(judged('4', 'äö').ok).toBe(true);
    expect(judged('2', 'äö')).toEqual({ ok: false, expected: 'Content-Length: 4', actual: `Content-Length: ${fromTarget('2')}` });
    expect(judged('0', '').ok).toBe(true);
    expect(judged('2, 2', '{}').ok).toBe(true);
    expect(judged('+2', '{}').ok).toBe(false);
  });

  test('is missing', () => {
    expect(judged(undefined, '{}')).toMatchObject({ ok: false, actual: 'no Content-Length header' });
    expect(judged(undefined, '').ok).toBe(false);
    expect(judged(undefined, '', 'HEAD').ok).toBe(true);
    expect(judged('17', '', 'HEAD').ok).toBe(true);
    expect(judged('x', '', 'HEAD').ok).toBe(false);
    expect(judged(undefined, '', 'GET', 204).ok).toBe(true);
    expect(contentLength(exchange(undefined), protocol).ok).toBe(false);
  });

  test('does not agree on the wire', () => {
    expect(judged('2', '{}', 'GET', 200, 'length')).toMatchObject({ ok: false, actual: `Content-Length: ${fromTarget('2')}\nWrong.` });
    expect(judged('9', '{}', 'GET', 200, 'timeout').ok).toBe(true);
  });
});

describe('date', () => {
  const judged = (...values: string[]) => {
    const got = answer(values.map((value) => ['Date', value] as const));
    return [date(got, protocol).ok, dateFormat(got, protocol).ok];
  };
  test('is there and well formed', () => {
    expect(judged('Sun, 06 Nov 1994 08:49:37 GMT')).toEqual([true, true]);
    expect(judged()).toEqual([false, false]);
    expect(judged('')).toEqual([false, false]);
  });
  test.each([
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    '1994-11-06T08:49:37Z',
    'Mon, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 +0000',
    'Sun, 31 Feb 1994 08:49:37 GMT',
  ])('is there in another form: %s', (value) => {
    expect(judged(value)).toEqual([true, false]);
  });
});

test('headers of one value are sent once', () => {
  const once = [
    ['Date', 'x'],
    ['Link', 'a'],
    ['LINK', 'b'],
    ['WWW-Authenticate', 'a'],
    ['WWW-Authenticate', 'b'],
    ['X-Other', '1'],
    ['X-Other', '1'],
  ] as const;
  expect(notRepeated(answer(once), protocol)).toEqual({ ok: true });
  for (const name of ['Content-Type', 'date', 'X-Authentication', 'x-authorization', 'Content-Length', 'Access-Control-Allow-Origin']) {
    const twice = [name, name.toUpperCase()].map((each) => [each, 'x'] as const);
    expect(notRepeated(answer(twice), protocol).ok).toBe(false);
  }
});
