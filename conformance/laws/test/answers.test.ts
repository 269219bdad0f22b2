import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { answer, protocol } from '../../test/messages.js';
import { likeAnswer } from '../index.js';

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
