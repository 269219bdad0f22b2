import { expect, test } from 'vitest';
import { draftOf, whenWords } from '../case.js';
import { rowOf, rowsOf } from '../tell.js';
import { cause, scene, state } from './scene.js';

const head = cause('method', 'HEAD');
const people = cause('address', '/people');
const debug = cause('gateway', 'X-Debug: 1');
const text = cause('Accept', 'Accept: text/plain');

test.each([
  ['no cause: the row of the state', 'nothing', [], 'challenge.status'],
  ['a cause that has a row for this asker', 'nothing', [head], 'protection.methods'],
  ['the first of several', 'nothing', [debug, head], 'protection.headers'],
  ['a cause that has none for this asker', 'fresh token', [head], 'token.sufficient'],
  ['the first that has one', 'fresh token', [head, people], 'token.any-endpoint'],
  ['a row of the circumstance before that of its dimension', 'nothing', [people], 'protection.collections'],
  ['an address that does not exist', 'nothing', [cause('address', '/health')], 'protection.unknown-paths'],
  ['the vocabulary', 'fresh token', [cause('address', scene.vocabulary)], 'token.vocabulary'],
  ['a state that always has its own row', 'token and useless credentials', [people], 'token.beside-other-credentials'],
])('a failure is told by one row: %s', (_, id, causes, row) => {
  expect(rowOf({ state: state(id), causes })).toBe(row);
});

test.each([
  ['nothing', [], ['protection.collections', 'challenge.status']],
  ['nothing', [text], ['protection.headers', 'protection.challenge-first', 'protection.collections', 'challenge.status']],
  ['nothing', [head, people], ['protection.methods', 'protection.collections', 'challenge.status']],
  ['fresh token', [text], ['token.any-endpoint', 'token.sufficient']],
  ['expired token', [head, people], ['expiry.refused-after']],
  ['token and useless credentials', [people], ['token.beside-other-credentials']],
])('a case that held speaks for every row it touches: %s %#', (id, causes, rows) => {
  expect(rowsOf({ state: state(id), causes })).toEqual(rows);
});

test('the address is written before other circumstances change it', () => {
  const causes = [debug, cause('query', '?page=1'), head, cause('spelling', 'a doubled slash')];
  expect(draftOf({ state: state('nothing'), causes }, scene)).toMatchObject({
    method: 'HEAD',
    path: '//things',
    query: '?page=1',
    headers: [['X-Debug', '1']],
  });
  expect(draftOf({ state: state('nothing'), causes: [cause('spelling', 'capitals'), people] }, scene).path).toBe('/PEOPLE');
});

test('puts circumstances in words', () => {
  expect(whenWords({ state: state('nothing'), causes: [] })).toBe('');
  expect(whenWords({ state: state('nothing'), causes: [head, people] })).toBe(
    ' when the method is HEAD and the address is collection number 2',
  );
});
