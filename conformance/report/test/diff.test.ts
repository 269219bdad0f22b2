import { expect, test } from 'vitest';
import { difference, type Piece } from '../diff.js';

const marked = (pieces: Piece[]) => pieces.map(({ text, same }) => (same ? text : `[${text}]`)).join('');
const shown = (a: string, b: string) => {
  const { expected, actual } = difference(a, b);
  return [marked(expected), marked(actual)];
};

test.each([
  ['Basic realm="Login required"', 'Basic realm="Login requested"', 'Basic realm="Login requ[ir]ed"', 'Basic realm="Login requ[est]ed"'],
  ['abc', 'abc', 'abc', 'abc'],
  ['abcdef', 'abcdef ', 'abcdef', 'abcdef[ ]'],
  ['application/ld+json', 'application/json', 'application/[ld+]json', 'application/json'],
  ['status 401', 'status 4😀1', 'status 4[0]1', 'status 4[😀]1'],
  ['', '', '', ''],
])('%j against %j', (a, b, markedA, markedB) => {
  expect(shown(a, b)).toEqual([markedA, markedB]);
});

test('texts with little in common carry no marks', () => {
  expect(shown('a refusal', 'status 200 and a token')).toEqual(['a refusal', 'status 200 and a token']);
});

test('the pieces are the text', () => {
  const [a, b] = ['x'.repeat(3000) + 'abc'.repeat(900), 'x'.repeat(3000) + 'acb'.repeat(900)];
  const { expected, actual } = difference(a, b);
  expect(expected.map(({ text }) => text).join('')).toBe(a);
  expect(actual.map(({ text }) => text).join('')).toBe(b);
});
