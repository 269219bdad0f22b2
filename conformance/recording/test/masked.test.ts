import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { spec } from '../../../spec/index.js';
import { scratch } from '../../../spec/test/scratch.js';
import { readBody } from '../../expect/index.js';
import { answer, exchanged } from '../../test/messages.js';
import { type Exchange, fromTarget, type HeaderLine } from '../../wire/index.js';
import { entryOf, exchangeOf } from '../entry.js';
import { mask } from '../masked.js';
import { recorder } from '../recorder.js';

const secret = 'Kanarienvogel77';
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const gzip = [['Content-Encoding', 'gzip']] as const;

const taken = (headers: readonly HeaderLine[], body: Buffer, reason = 'OK', sent: readonly HeaderLine[] = []) =>
  exchanged({ method: 'POST', target: '/api/people', headers: sent, body: 'x' }, answer(200, headers, body, reason));

function recorded(exchange: Exchange) {
  const masked = mask(spec.protocol, [{ id: '1', paraphrase: secret }], [], []);
  masked.learn(exchange);
  return entryOf(exchange, 'http://127.0.0.1', masked, {});
}

const inHeader = (name: string, value: string): Exchange => taken([[name, value]], Buffer.from('x'));

test.each<[string, Exchange]>([
  ['the type of a body', inHeader('Content-Type', `text/plain; x=${secret}`)],
  ['the type of a body that was sent', taken([], Buffer.from('x'), 'OK', [['Content-Type', `x/${secret}`]])],
  ['a date', inHeader('Date', `Tue, 17 Nov 2026 16:00:00 GMT (${secret})`)],
  ['a reason phrase', taken([], Buffer.from('x'), secret)],
  ['the name of a header', inHeader(`X-${secret}`, 'x')],
  ...Object.values(spec.protocol.headers).map((name): [string, Exchange] => [
    `a name before ${name}`,
    inHeader(`${secret}-${name}`, 'x y'),
  ]),
  ['the scheme of credentials', inHeader('Proxy-Authorization', `${secret} x`)],
  ['the name of a cookie', inHeader('Set-Cookie', `${secret}=x`)],
  ['a cookie without a value', inHeader('Set-Cookie', secret)],
  ['a cookie with quotes in it', inHeader('Set-Cookie', `a={"b":1,"key":"${secret}"}`)],
  ['an attribute of a cookie', inHeader('Set-Cookie', `a=b; Path=/${secret}`)],
  ['the name of a cookie that was sent', taken([], Buffer.from('x'), 'OK', [['Cookie', `a=b; ${secret}=x; ${secret}`]])],
  ['a body that is cut within it', taken([], Buffer.from(`${'. '.repeat(32 * 1024 - 6)}${secret} and more`))],
  ['UTF-16', taken([], utf16(`"${secret}"`))],
  ['UTF-16 with its mark', taken([], utf16(`\ufeff"${secret}" ü`))],
  ['binary data', taken([], Buffer.concat([Buffer.from([0xff, 0]), Buffer.from(secret)]))],
])('a secret in %s is not in the recording', (_, exchange) => {
  const entry = recorded(exchange);
  const { text = '', encoding = 'utf8' } = entry.response?.content ?? {};
  const body = Buffer.from(text, encoding as BufferEncoding).toString('latin1');
  const written = [JSON.stringify(entry), body.replaceAll('\0', '')].map((each) => each.toLowerCase());
  for (const each of written) expect(each).not.toContain(secret.toLowerCase().slice(0, -4));
});

test.each<[string, readonly HeaderLine[], Buffer]>([
  ['that was cut', gzip, gzipSync(secret).subarray(0, -4)],
  ['in a coding that we do not know', [['Content-Encoding', 'zstd']], brotliCompressSync(secret)],
])('a packed body %s is not in the recording, and cannot be read afterwards either', (_, headers, body) => {
  const exchange = taken(headers, body);
  const entry = recorded(exchange);
  const again = exchangeOf(entry, 0).answer;
  expect(again?.body.includes(body.subarray(4, -4))).toBe(false);
  expect(again?.wholeOctets).toBe(body.length);
  expect(again && readBody(again).problem).toBe(exchange.answer && readBody(exchange.answer).problem);
});

test('a body that can be unpacked is recorded as it is', () => {
  for (const text of ['', '{"a": "b"}']) {
    const again = exchangeOf(recorded(taken(gzip, gzipSync(text))), 0).answer;
    expect(again && readBody(again).value).toEqual(text === '' ? undefined : { a: 'b' });
  }
});

test('of a long body the beginning is recorded, and the rest is said to be cut', () => {
  const entry = recorded(taken([], Buffer.alloc(10_000_000, 'a')));
  expect(entry.response?.content?.text?.length).toBe(65_536);
  expect(exchangeOf(entry, 0).problem?.message).toBe('The recording does not have the whole body.');
});

test.each<[string, HeaderLine[], string, number]>([
  ['long texts', [['X-Long', 'a'.repeat(500_000)]], 'a'.repeat(500_000), 34],
  ['many lines', Array.from({ length: 10_000 }, () => ['a', 'b'] as const), '', 46],
  ['many cookies in a line', [['Cookie', 'a;'.repeat(10_000)]], '', 46],
  ['what is written with escapes', [['X-Long', '\x01'.repeat(500_000)]], '', 23],
])('clients and headers take no memory without end: beyond 32 MB of %s exchanges are left out', (_, lines, body, held) => {
  const file = join(scratch(), 'heads.har');
  const recording = recorder({ file, protocol: spec.protocol, baseUrl: new URL('http://127.0.0.1/api') });
  const plain = taken(lines, Buffer.alloc(0));
  for (let sentAtMs = 0; sentAtMs < 50; sentAtMs += 1) recording.note({ ...plain, request: { ...plain.request, body }, sentAtMs });
  expect(recording.close()).toEqual([]);
  const { entries, _hydrauth } = JSON.parse(readFileSync(file, 'utf8')).log;
  expect([entries.length, _hydrauth.leftOut]).toEqual([held, 50 - held]);
});

test.each<[string, readonly HeaderLine[], (body: Buffer) => Buffer, number]>([
  ['', [], (body) => body, 240],
  [' that are packed', gzip, (body) => gzipSync(body), 257],
])(
  'what a target sends takes neither memory nor time without end: bodies%s are left out beyond 16 MB, exchanges after a minute',
  (_, headers, packed, held) => {
    let atMs = 0;
    const body = packed(Buffer.alloc(70_000, 'a'));
    const file = join(scratch(), 'full.har');
    const baseUrl = new URL('http://127.0.0.1/api');
    const recording = recorder({ file, protocol: spec.protocol, baseUrl, nowMs: () => (atMs += 150) });
    const all = Array.from({ length: 500 }, (_, sentAtMs) => ({ ...taken(headers, body), sentAtMs }));
    for (const each of all) recording.note(each);
    expect(recording.close({ chain: [all[1], all[499]] })).toEqual([]);
    const { entries, _hydrauth } = JSON.parse(readFileSync(file, 'utf8')).log;
    expect(_hydrauth.chain).toEqual([{ entry: 1 }]);
    expect(entries.filter(({ response }: { response: { content: { size: number } } }) => response.content.size > 0)).toHaveLength(held);
    expect([entries.length, _hydrauth.leftOut]).toEqual([400, 100]);
    expect(exchangeOf(entries[399], 0).problem?.message).toBe('The recording does not have the whole body.');
  },
);

test('credentials that are no pair are none afterwards either', () => {
  const texts = Array.from({ length: 200 }, (_, index) => `no pair, number ${index}, with ${'more and '.repeat(3)}more`);
  const shown = texts.flatMap((text) => {
    const sent = [['Authorization', `Basic ${Buffer.from(text).toString('base64')}`]] as const;
    return recorded(taken([], Buffer.from('x'), 'OK', sent)).request.headers.map(({ value }) => value.split(' ')[1] ?? '');
  });
  expect([shown.length, shown.filter((each) => Buffer.from(each, 'base64').includes(':'))]).toEqual([200, []]);
});

test('what a run found is recorded, however much was searched before', () => {
  const masked = mask(spec.protocol, [{ id: '1', paraphrase: secret }], [], []);
  masked.text('ab '.repeat(700_000));
  expect(masked.sentence(`The body is ${fromTarget('"ac"')}.`)).toBe('The body is "ac".');
});
