import { randomBytes } from 'node:crypto';
import { leastBits, type Shape, SpecError, shapeOf, specFiles, written } from '../../spec/index.js';

/** A way to write octets as text. `decode` takes back exactly what `encode` gave, and nothing else. */
interface Encoding {
  readonly name: string;
  encode(octets: Buffer): string;
  decode(text: string): Buffer | undefined;
}

const letters = 'abcdefghijklmnop';

function encoding(name: string, encode: (octets: Buffer) => string, read: (text: string) => Buffer): Encoding {
  return {
    name,
    encode,
    decode(text) {
      const octets = read(text);
      return encode(octets) === text ? octets : undefined;
    },
  };
}

const hyphenated = (hex: string) => `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
const hex = (octets: Buffer) => octets.toString('hex');
const unhex = (text: string) => Buffer.from(text, 'hex');
const uuid = (octets: Buffer) => hyphenated(hex(octets));
const fromUuid = (text: string) => unhex(text.replaceAll('-', ''));
const toLetters = (octets: Buffer) => hex(octets).replace(/./g, (digit) => letters.charAt(Number.parseInt(digit, 16)));
const fromLetters = (text: string) => unhex(text.toLowerCase().replace(/./g, (letter) => letters.indexOf(letter).toString(16)));

const plain: readonly Encoding[] = [
  encoding('hexadecimal', hex, unhex),
  encoding('upper-case hexadecimal', (octets) => hex(octets).toUpperCase(), unhex),
  encoding(
    'base64url',
    (octets) => octets.toString('base64url'),
    (text) => Buffer.from(text, 'base64url'),
  ),
  encoding('letters', toLetters, fromLetters),
  encoding('upper-case letters', (octets) => toLetters(octets).toUpperCase(), fromLetters),
];

export const nonceEncodings: readonly Encoding[] = [
  encoding('UUID', uuid, fromUuid),
  encoding('upper-case UUID', (octets) => uuid(octets).toUpperCase(), fromUuid),
  ...plain,
];

export const tokenEncodings: readonly Encoding[] = [...plain, ...nonceEncodings.slice(0, 2)];

/** The lengths tried for a token, in octets; none has less than 128 bits. */
export const tokenOctets: readonly number[] = [32, 16, 20, 24, 64];

const samples = 64;

/** Writes octets as a number whose digits are the places of a shape, each with the characters of that place. */
function placesEncoding(shape: Shape, octets: number): Encoding {
  const last = BigInt(256) ** BigInt(octets);
  return {
    name: 'places',
    encode: (given) => written(given, shape),
    decode(text) {
      if (text.length !== shape.length) return undefined;
      const digits = shape.map((alphabet, place) => alphabet.indexOf(text.charAt(place)));
      if (digits.includes(-1)) return undefined;
      const number = shape.reduceRight((sum, alphabet, place) => sum * BigInt(alphabet.length) + BigInt(digits[place] as number), 0n);
      return number < last ? unhex(number.toString(16).padStart(octets * 2, '0')) : undefined;
    },
  };
}

/**
 * The first encoding whose every output the spec's pattern accepts, and the number of octets it accepts it for. The named ones are fast;
 * for any other pattern octets are written place by place.
 */
export function chooseEncoding(
  what: 'nonce' | 'token',
  pattern: RegExp,
  encodings: readonly Encoding[],
  lengths: readonly number[],
): { readonly encoding: Encoding; readonly octets: number } {
  for (const octets of lengths) {
    for (const each of encodings) {
      if (Array.from({ length: samples }, () => each.encode(randomBytes(octets))).every((text) => pattern.test(text)))
        return { encoding: each, octets };
    }
  }
  const octets = leastBits / 8;
  const shape = shapeOf(pattern);
  if (shape !== undefined) return { encoding: placesEncoding(shape, octets), octets };
  const place = `/components/headers/${what === 'nonce' ? 'Nonce' : 'Token'}/schema/pattern`;
  throw new SpecError(specFiles.openapi, place, `no ${what} can be made in the shape ${pattern.source}`);
}
