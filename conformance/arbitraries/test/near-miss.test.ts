import { expect, test } from 'vitest';
import { everyNearMissRecipe, everyPartChanged, lastCharacterChanged, nearMiss } from '../index.js';

const placesChanged = (text: string, changed: string) => [...text].flatMap((each, at) => (each === changed[at] ? [] : [at]));

test.each(['b3'.repeat(8), '0123456789abcdef'.repeat(4), 'ABCDEF'.repeat(40), '9f8e-7d6c-5b4a-3928-1706'])(
  'a hexadecimal digit becomes another in every eighth of %s',
  (text) => {
    const places = everyPartChanged.map((recipe) => {
      const changed = nearMiss(text, recipe)?.value ?? '';
      const [place = -1, ...others] = placesChanged(text, changed);
      expect([changed.length, others]).toEqual([text.length, []]);
      expect(changed[place]).toMatch(/[0-9a-f]/i);
      return Math.floor((8 * place) / text.length);
    });
    expect(places).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  },
);

test('the last character can be changed whatever the length', () => {
  for (const text of ['a', 'ab', 'f'.repeat(300)])
    expect(placesChanged(text, nearMiss(text, lastCharacterChanged)?.value ?? '')).toEqual([text.length - 1]);
});

test('each kind makes another text, never the same in another letter case', () => {
  const text = 'c0ffee00c0ffee11';
  const made = everyNearMissRecipe.map((recipe) => nearMiss(text, recipe)?.value);
  expect(new Set(made).size).toBe(everyNearMissRecipe.length);
  expect(made).toContain(`./${text}`);
  for (const each of made) expect(each?.toLowerCase()).not.toBe(text);
});
