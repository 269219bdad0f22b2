import { expect, test } from 'vitest';
import { loadSpec, packageFile, readSpecFolder, spec } from '../index.js';

test('what was parsed ahead is what the YAML files say', () => {
  expect(spec.source).toEqual(readSpecFolder(packageFile('spec')));
});

test('a spec that is parsed and validated now says the same', () => {
  const { catalogue, literals, protocol } = loadSpec(packageFile('spec'));
  expect(catalogue.rows).toEqual(spec.catalogue.rows);
  expect(literals).toEqual(spec.literals);
  expect(protocol).toEqual(spec.protocol);
});
