import fc from 'fast-check';

/** A text that is almost another, and in which way. */
export interface NearMiss {
  readonly value: string;
  readonly how: string;
  /** Whether it is something else, because of the text. */
  readonly isMoot?: boolean;
}

/** One octet that is neither ASCII nor UTF-8. HTTP allows it in a header, and many a comparison fails on it. */
export const oddOctet = '\xff';

/** Texts that careless look-ups stumble over. */
export const oddTexts = [
  '',
  '0',
  'null',
  'undefined',
  'constructor',
  '__proto__',
  '..',
  '*',
  '{}',
  "' OR '1'='1",
  '%',
  'a'.repeat(300),
  oddOctet,
];

const changes: readonly ((text: string, at: number, other: string) => NearMiss)[] = [
  (text, at, other) => ({ value: text.slice(0, at) + other + text.slice(at + 1), how: `character ${at + 1} changed` }),
  (text) => ({ value: text.slice(0, -1), how: 'last character cut' }),
  (text) => ({ value: text.slice(1), how: 'first character cut' }),
  (text, _at, other) => ({ value: text + other, how: 'one character added at the end' }),
  // The same number, to whoever compares numbers.
  (text) => ({ value: `0${text}`, how: 'a zero added at the front' }),
  (text) => ({ value: text.slice(0, Math.ceil(text.length / 2)), how: 'second half cut' }),
  (text) => ({ value: text + text, how: 'written twice' }),
  (text) => ({ value: `./${text}`, how: '"./" in front, as of a file' }),
  (text) => ({ value: percentEncoded(text), how: 'its first character percent-encoded' }),
  // Patterns that match it, to whoever looks it up with LIKE, a glob or a regular expression.
  ...['%', '*', '.'].map((sign) => (text: string) => ({ value: text.slice(0, -1) + sign, how: `"${sign}" for its last character` })),
  (text, at) => ({ value: text.slice(0, at) + text.slice(at + 1), how: `character ${at + 1} left out` }),
];

/** The same text to whoever decodes it as part of an address or of a form. */
export function percentEncoded(text: string): string {
  const [first = ''] = text;
  return encodeURI(first).replace(/^[^%]$/, (each) => `%${each.charCodeAt(0).toString(16)}`) + text.slice(first.length);
}

/** Another character of the same kind, so that only the value differs and not the alphabet: one more where that is the same kind. */
function another(character: string): string {
  if (/[9fz]/i.test(character)) return String.fromCharCode(character.charCodeAt(0) - 1);
  return /[0-9a-z]/i.test(character) ? String.fromCharCode(character.charCodeAt(0) + 1) : 'x';
}

const parts = 8;

/** The hexadecimal digit nearest to a place: a separator there carries no value. */
function digitNear(text: string, place: number): number {
  const reach = Math.floor(text.length / parts / 2);
  const near = Array.from({ length: reach + 1 }, (_, step) => [place - step, place + step]).flat();
  return near.find((at) => /[0-9a-f]/i.test(text[at] ?? '')) ?? place;
}

function apply(text: string, { kind, at }: NearMissRecipe): NearMiss {
  const place = digitNear(text, Math.round((at / farthest) * Math.max(0, text.length - 1)));
  return (changes[kind % changes.length] as (typeof changes)[number])(text, place, another(text[place] ?? 'x'));
}

/** The place of the last character, where the first is 0. */
const farthest = 255;

/** How to make a near miss of a text that is not known yet: a kind, and a place between the first character and the last. */
export interface NearMissRecipe {
  readonly kind: number;
  readonly at: number;
}

export const nearMissRecipe: fc.Arbitrary<NearMissRecipe> = fc.record({ kind: fc.nat(changes.length - 1), at: fc.nat(farthest) });

export const lastCharacterChanged: NearMissRecipe = { kind: 0, at: farthest };

/** One recipe of every kind; a character is changed at the end, and left out in the middle, for without the last one the text is cut. */
export const everyNearMissRecipe: readonly NearMissRecipe[] = changes.map((_, kind) => ({
  kind,
  at: kind === changes.length - 1 ? 100 : farthest,
}));

/** A change in every eighth of the text, in the middle of each but at both ends: what is made of several parts may not compare them all. */
export const everyPartChanged: readonly NearMissRecipe[] = Array.from({ length: parts }, (_, part) => ({
  kind: 0,
  at: part === 0 ? 0 : part === parts - 1 ? farthest : Math.round(((part + 0.5) / parts) * farthest),
}));

/** The near miss by a recipe; undefined when it is the same text after all, in any letter case, or empty. */
export function nearMiss(text: string, recipe: NearMissRecipe): NearMiss | undefined {
  const made = apply(text, recipe);
  const same = made.value.toLowerCase() === text.toLowerCase();
  return same || made.value.trim() !== made.value || made.value === '' ? undefined : made;
}
