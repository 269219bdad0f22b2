import { expect, test } from 'vitest';
import { type Json, spec } from '../index.js';

/** Places where a schema allows several types in one list. */
function lists(value: Json, place = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(name === 'type' && Array.isArray(member) ? [`${place}/${name}`] : []),
    ...lists(member as Json, `${place}/${name}`),
  ]);
}

// Generators of requests and answers, Schemathesis among them, stumble over such a list within a composition; anyOf says the same.
test('no schema of the document allows a list of types', () => {
  expect(lists(spec.source.openapi)).toEqual([]);
});
