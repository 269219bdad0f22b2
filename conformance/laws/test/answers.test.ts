import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { answer, protocol } from '../../test/messages.js';
import { answerLaws, likeAnswer } from '../index.js';

const refused = (body: string, level?: number) =>
  level === undefined ? answer(401, [], body) : answer(401, [['Content-Encoding', 'gzip']], gzipSync(body, { level }));
const long = (value: string) => `[${'"aaaaaaaaaaaaaaaaaaaaa",'.repeat(50)}"${value}"]`;

test.each([
  ['otherwise indented', refused('{"a": 1}'), refused('{"a":1}'), true],
  ['otherwise compressed', refused(long('x'), 0), refused(long('x'), 9), true],
  ['another one', refused(long('x')), refused(long('y')), false],
  ['another one, compressed', refused(long('x'), 9), refused(long('y'), 9), false],
  ['no JSON, and otherwise so', refused('<p>'), refused('<b>'), false],
])('a body %s', (_, one, other, isLike) => {
  expect(likeAnswer(one, other, protocol).ok).toBe(isLike);
});

test('JSON that is too large for us is held against nobody', () => {
  const law = answerLaws.find(({ requirement }) => requirement === 'jsonld.parses');
  const view = { exchange: { request: { method: 'GET', target: '/', headers: [] } } } as never;
  const grid = `[${'[0,1],'.repeat(400_000)}[]]`;
  const packed = answer(200, [['Content-Encoding', 'gzip']], gzipSync(JSON.stringify('x'.repeat(6_000_000))));
  for (const each of [answer(200, [], grid), packed]) expect(law?.look(each, view)).toBeUndefined();
  expect(law?.look(answer(200, [], grid.slice(0, 1000)), view)).toMatchObject({ ok: false });
});
