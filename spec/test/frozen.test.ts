import { expect, test } from 'vitest';
import { loadSpec, spec } from '../index.js';

function thawed(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([name, member]) => thawed(member, `${path}.${name}`));
  return Object.isFrozen(value) ? below : [path, ...below];
}

test.each([
  ['the spec of the package', spec],
  ['a spec given as data', loadSpec(structuredClone(spec.source))],
])('%s is frozen to its last member', (_, loaded) => {
  expect(thawed(loaded, 'spec')).toEqual([]);
  expect(() => Object.assign(loaded.protocol.challenge, { realm: 'Other' })).toThrow(TypeError);
});
