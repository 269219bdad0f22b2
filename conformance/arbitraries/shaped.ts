import fc from 'fast-check';
import { textOf, usualShape } from '../../spec/index.js';

/** Texts that have the shape of a nonce or a token. */
export function shaped(pattern: RegExp): fc.Arbitrary<string> {
  const shape = usualShape(pattern);
  return fc.array(fc.nat(), { minLength: shape.length, maxLength: shape.length, size: 'max' }).map((draws) => {
    let at = 0;
    return textOf(shape, (bound) => (draws[at++] ?? 0) % bound);
  });
}
