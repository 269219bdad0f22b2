import fc from 'fast-check';
import { textOf, usualShape } from '../../spec/index.js';

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,11}$/);

/** A path below the base URL that no server has by chance. */
export const unknownPath: fc.Arbitrary<string> = fc
  .tuple(fc.array(word, { maxLength: 2 }), fc.stringMatching(/^[a-z0-9]{8}$/), fc.constantFrom('', '/', '.json', '.html'))
  .map(([folders, name, ending]) => `/${[...folders, `no-such-${name}`].join('/')}${ending}`);

/** How a header's name is written: names have no letter case. */
export const nameCase = fc.constantFrom<(name: string) => string>(
  (name) => name,
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
);

/** What an odd way to write names looks like; empty for the usual one. */
export function nameCaseWords(write: (name: string) => string = (name) => name): string {
  return write('Aa') === 'AA' ? 'header names in capitals' : write('Aa') === 'aa' ? 'header names in small letters' : '';
}

/** Texts that have the shape of a nonce or a token. */
export function shaped(pattern: RegExp): fc.Arbitrary<string> {
  const shape = usualShape(pattern);
  return fc.array(fc.nat(), { minLength: shape.length, maxLength: shape.length, size: 'max' }).map((draws) => {
    let at = 0;
    return textOf(shape, (bound) => (draws[at++] ?? 0) % bound);
  });
}
