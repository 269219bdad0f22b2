import { describe, expect, test } from 'vitest';
import { spec } from '../../../spec/index.js';
import { scene } from '../../combinations/test/scene.js';
import { states } from '../../states/index.js';
import { type Draft, dimensions } from '../index.js';

const plain: Draft = { method: 'GET', path: '/things', query: '', headers: [] };
const { catalogue } = spec;

describe.each(dimensions)('$name', (dimension) => {
  const [first, ...others] = dimension.values(scene);

  test('the first value is plain: it changes, allows and masks nothing', () => {
    expect(first.change(plain, scene)).toEqual(plain);
    expect([first.words, first.allows, first.masks, first.tells]).toEqual(['', undefined, undefined, undefined]);
  });

  test('every other value has an id, words and a change of its own', () => {
    const ids = [first, ...others].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, words, change } of others) {
      expect(id).not.toContain(' | ');
      expect(words).not.toBe('');
      expect(change(plain, scene)).not.toEqual(plain);
    }
  });

  test('every row that it names is in the catalogue, and speaks of who asks', () => {
    for (const tells of [dimension.tells, ...others.flatMap((each) => each.tells ?? [])])
      for (const [about, row] of Object.entries(tells)) expect(catalogue.requirement(row).about).toContain(about);
    for (const { allows } of others)
      if (allows?.instead !== undefined) {
        const { level, about } = catalogue.requirement(allows.instead.row);
        expect([level, about]).toEqual(['SHOULD', ['stranger']]);
      }
  });
});

test('what the target itself gave is sent back where there is any', () => {
  const seen = { ...scene, etag: '"abc"' };
  const change = (name: string, id: string) =>
    dimensions
      .find((each) => each.name === name)
      ?.values(seen)
      .find((each) => each.id === id)
      ?.change(plain, seen);
  expect(change('condition', 'own ETag')?.headers).toEqual([['If-None-Match', '"abc"']]);
  expect(change('Cookie', 'own cookie')?.returnsCookies).toBe(true);
});

describe('states', () => {
  test.each(states)('$id names a row that speaks of who asks', ({ requirement, about }) => {
    expect(catalogue.requirement(requirement).about).toContain(about);
  });

  test.each(states.filter(({ plainer }) => plainer !== undefined))('$id has a plainer state of the same asker', (state) => {
    const plainer = states.filter(({ id }) => state.plainer?.includes(id));
    expect(plainer).toHaveLength(state.plainer?.length ?? 0);
    expect(plainer.some(({ about, must }) => about === state.about && must === state.must)).toBe(true);
  });
});
