import fc from 'fast-check';

/** A text that is almost another, and in which way. */
export interface NearMiss {
  readonly value: string;
  readonly how: string;
}

const changes: readonly ((text: string, at: number, other: string) => NearMiss)[] = [
  (text, at, other) => ({ value: text.slice(0, at) + other + text.slice(at + 1), how: `character ${at + 1} changed` }),
  (text) => ({ value: text.slice(0, -1), how: 'last character cut' }),
  (text) => ({ value: text.slice(1), how: 'first character cut' }),
  (text, _at, other) => ({ value: text + other, how: 'one character added at the end' }),
  (text, _at, other) => ({ value: other + text, how: 'one character added at the front' }),
  (text) => ({ value: text.slice(0, Math.ceil(text.length / 2)), how: 'second half cut' }),
  (text) => ({ value: text + text, how: 'written twice' }),
  (text, at) => ({ value: text.slice(0, at) + text.slice(at + 1), how: `character ${at + 1} left out` }),
];

/** Another character of the same kind, so that only the value differs and not the alphabet. */
function another(character: string): string {
  const alphabet = '0123456789abcdef';
  const at = alphabet.indexOf(character.toLowerCase());
  if (at < 0) return /[g-z]/i.test(character) ? String.fromCharCode(character.charCodeAt(0) - 1) : 'x';
  const next = alphabet[(at + 1) % alphabet.length] as string;
  return character === character.toUpperCase() ? next.toUpperCase() : next;
}

function apply(text: string, kind: number, at: number): NearMiss {
  const place = text.length === 0 ? 0 : at % text.length;
  return (changes[kind % changes.length] as (typeof changes)[number])(text, place, another(text[place] ?? 'x'));
}

/** How to make a near miss of a text that is not known yet: a kind and a place. */
export interface NearMissRecipe {
  readonly kind: number;
  readonly at: number;
}

export const nearMissRecipe: fc.Arbitrary<NearMissRecipe> = fc.record({ kind: fc.nat(changes.length - 1), at: fc.nat(63) });

/** One recipe of every kind, with the last character for those that change one. */
export const everyNearMissRecipe: readonly NearMissRecipe[] = changes.map((_, kind) => ({ kind, at: 63 }));

/** The near miss by a recipe; undefined when it is the same text after all, in any letter case, or empty. */
export function nearMiss(text: string, recipe: NearMissRecipe): NearMiss | undefined {
  const made = apply(text, recipe.kind, recipe.at);
  const same = made.value.toLowerCase() === text.toLowerCase();
  return same || made.value.trim() !== made.value || made.value === '' ? undefined : made;
}
