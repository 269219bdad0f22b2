import { type Piece, parsePieces } from './shape-pieces.js';

/** One of the forms that a pattern allows: the characters that may stand at each place. */
export type Shape = readonly string[];

/** What can be guessed in fewer tries is no secret. */
export const leastBits = 128;
const mostPlaces = 512;
const samples = 32;

/**
 * Places with room for as many bits as wanted, where the pattern allows that many, and for no fewer than a secret needs. Undefined: the
 * pattern allows too few texts, or is one of which no text can be made here.
 */
export function shapeOf(pattern: RegExp, wantedBits = leastBits): Shape | undefined {
  const pieces = parsePieces(pattern.source);
  if (pieces === undefined) return undefined;
  for (const alphabets of [inOneCase, asTheyAre]) {
    const shape = grown(pieces.map(alphabets), wantedBits);
    if (bitsOf(shape) >= leastBits && isOf(pattern, shape)) return shape;
  }
  return undefined;
}

/** A text of the shape, by draws of whole numbers below a bound. */
export function textOf(shape: Shape, draw: (bound: number) => number): string {
  return shape.map((alphabet) => alphabet.charAt(draw(alphabet.length))).join('');
}

/** Octets as a number whose digits are the places of a shape, the lowest first. */
export function written(octets: Uint8Array, shape: Shape): string {
  let rest = BigInt(`0x0${Buffer.from(octets).toString('hex')}`);
  return textOf(shape, (bound) => {
    const digit = Number(rest % BigInt(bound));
    rest /= BigInt(bound);
    return digit;
  });
}

const bitsOf = (shape: Shape) => shape.reduce((bits, { length }) => bits + Math.log2(length), 0);
const asTheyAre = (piece: Piece): Piece => piece;
/** Where letters may be large or small, they are small. */
const inOneCase = (piece: Piece): Piece => ({
  ...piece,
  places: piece.places.map((alphabet) => alphabet.replace(/[A-Z]/g, (letter) => (alphabet.includes(letter.toLowerCase()) ? '' : letter))),
});

/** Every piece as often as it must stand, and the last that may stand more often until there is room. */
function grown(pieces: readonly Piece[], wantedBits: number): Shape {
  const counts = pieces.map(({ least }) => least);
  let bits = pieces.reduce((sum, { places, least }) => sum + least * bitsOf(places), 0);
  for (let index = pieces.length - 1; index >= 0; index -= 1) {
    const { places, least, most } = pieces[index] as Piece;
    for (let count = least + 1; bits < wantedBits && count <= Math.min(most, mostPlaces); count += 1) {
      bits += bitsOf(places);
      counts[index] = count;
    }
  }
  return pieces.flatMap(({ places }, index) => Array.from({ length: counts[index] as number }, () => places).flat());
}

/** Whether the pattern means what was read out of it. */
function isOf(pattern: RegExp, shape: Shape): boolean {
  return Array.from({ length: samples }, (_, sample) => textOf(shape, (bound) => (sample * 7919 + bound * 31) % bound))
    .concat(textOf(shape, (bound) => bound - 1))
    .every((text) => pattern.test(text));
}

/** As long as tokens usually are, where the pattern leaves it open. */
const usualBits = 256;

const usualShapes = new Map<string, Shape>();

/** The shape of nonces or tokens; a spec in which they have none is refused when it is loaded. Kept, because texts are made up by the hundred. */
export function usualShape(pattern: RegExp): Shape {
  const shape = usualShapes.get(String(pattern)) ?? (shapeOf(pattern, usualBits) as Shape);
  usualShapes.set(String(pattern), shape);
  return shape;
}

/** A text of the shape that nobody has issued; always the same for a number. */
export function madeUp(pattern: RegExp, number = 1): string {
  let state = number;
  return textOf(usualShape(pattern), (bound) => {
    // The generator of Lewis, Goodman and Miller.
    state = (state * 16_807) % 2_147_483_647;
    return state % bound;
  });
}

const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';

/** The shape of nonces or tokens in words, as far as it is a usual one. */
export function shapeWords(pattern: RegExp): string {
  const takes = (text: string) => pattern.test(text);
  if (takes(uuid) && !takes(uuid.slice(1)) && !takes(uuid.replaceAll('-', '')) && !takes(`{${uuid}}`)) return 'a UUID';
  if (takes('0f'.repeat(32)) && takes('0F'.repeat(32)) && !takes('0g'.repeat(32)) && !takes(uuid)) return 'hexadecimal digits';
  return `the pattern ${pattern.source}`;
}
