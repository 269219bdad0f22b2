import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { crcSuffix } from './crc.js';
import { type NearMiss, percentEncoded } from './near-miss.js';

/**
 * The character with the highest number becomes its neighbour, so that the two are lost in the same way by a smaller character set.
 * Blanks are left alone: RFC 8265 lets a service take any of them for the one of ASCII.
 */
function highestChanged(text: string): string {
  const numbers = Array.from(text.replace(/[\s -~]/gu, ''), (each) => each.codePointAt(0) as number);
  const highest = Math.max(...numbers);
  return numbers.length === 0 ? text : text.replaceAll(String.fromCodePoint(highest), String.fromCodePoint(highest ^ 1));
}

/** Ways in which careless comparison takes a wrong paraphrase for the right one. */
const mistakes: readonly ((paraphrase: string) => NearMiss)[] = [
  (text) => ({ value: `${text}x`, how: 'a character added at the end' }),
  (text) => ({ value: `:${text}`, how: 'a colon added at the front' }),
  (text) => ({ value: text.slice(0, -1), how: 'the last character cut' }),
  (text) => ({ value: text.slice(1), how: 'the first character cut' }),
  (text) => ({ value: swapCase(text), how: 'the letter case swapped' }),
  (text) => ({ value: text.toUpperCase(), how: 'in upper case' }),
  (text) => ({ value: text.toLowerCase(), how: 'in lower case' }),
  (text) => ({ value: ` ${text}`, how: 'a blank in front' }),
  (text) => ({ value: `${text} `, how: 'a blank behind' }),
  (text) => ({ value: `${text}\n`, how: 'a line feed behind' }),
  () => ({ value: '', how: 'empty' }),
  () => ({ value: '%', how: 'a percent sign' }),
  () => ({ value: '.*', how: 'a pattern that matches everything' }),
  () => ({ value: "' OR '1'='1", how: 'an SQL condition' }),
  (text) => ({ value: text.slice(0, text.indexOf(':')), how: 'cut at its first colon' }),
  (text) => ({ value: text.slice(text.lastIndexOf(':') + 1), how: 'only what follows its last colon' }),
  (text) => ({ value: text.normalize('NFD').replace(/\p{M}/gu, ''), how: 'without its accents' }),
  (text) => ({ value: `${text}\u0301`, how: 'a combining accent behind' }),
  (text) => ({ value: `${text}\u200b`, how: 'a zero-width space behind' }),
  (text) => ({ value: highestChanged(text), how: 'with another character for one beyond ASCII' }),
  (text) => ({ value: text + text, how: 'written twice' }),
  (text) => ({ value: `${text}\u0000`, how: 'a zero octet behind' }),
  (text) => ({ value: [...text].reverse().join(''), how: 'reversed' }),
  (text) => ({ value: percentEncoded(text), how: 'its first character percent-encoded' }),
  (text) => ({ value: `"${text}"`, how: 'in quotation marks' }),
  (text) => ({ value: `${text}:x`, how: 'a colon and more behind' }),
  (text) => ({ value: `${text}:`, how: 'a colon behind' }),
  (text) => ({ value: fullWidth(text), how: 'in letters of full width' }),
  (text) => ({ value: sameStringHash(text), how: 'another text with the same 31-fold hash' }),
  (text) => ({ value: sameCrc(text), how: 'another text with the same CRC-32' }),
];

/** Letters that only look alike (RFC 8265 takes them for others): another paraphrase. */
function fullWidth(text: string): string {
  return text.replace(/[!-~]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0));
}

/** Two neighbours of which the first is one more and the second 31 less, as in String.hashCode of Java. */
function sameStringHash(text: string): string {
  const at = [...text].findIndex((each, index) => /[!-}]/.test(each) && /[?-~]/.test(text.charAt(index + 1)));
  if (at < 0) return text;
  const code = (index: number, by: number) => String.fromCharCode(text.charCodeAt(index) + by);
  return `${text.slice(0, at)}${code(at, 1)}${code(at + 1, -31)}${text.slice(at + 2)}`;
}

/** The text with a few letters behind it that bring its CRC-32 back to what it was. */
function sameCrc(text: string): string {
  const wanted = crc32(Buffer.from(text));
  for (let number = 0; number < 4000; number += 1) {
    const longer = `${text}${number.toString(36)}`;
    const last = crcSuffix(crc32(Buffer.from(longer)), wanted);
    if (last.every((octet) => octet >= 0x21 && octet <= 0x7e)) return longer + String.fromCharCode(...last);
  }
  return text;
}

function swapCase(text: string): string {
  return [...text].map((each) => (each === each.toUpperCase() ? each.toLowerCase() : each.toUpperCase())).join('');
}

export const paraphraseMistake: fc.Arbitrary<number> = fc.nat(mistakes.length - 1);

/** The wrong paraphrase by its kind; undefined when that is the right one after all. */
export function wrongParaphrase(paraphrase: string, kind: number): NearMiss | undefined {
  const made = (mistakes[kind % mistakes.length] as (typeof mistakes)[number])(paraphrase);
  const same = made.value === paraphrase || made.value.normalize('NFC') === paraphrase.normalize('NFC');
  return same || (made.how.startsWith('cut at') && !paraphrase.includes(':')) ? undefined : made;
}

/** Every kind that differs for this paraphrase, no value twice. */
export function everyWrongParaphrase(paraphrase: string): number[] {
  const seen = new Set<string>();
  return mistakes.flatMap((_, kind) => {
    const made = wrongParaphrase(paraphrase, kind);
    if (made === undefined || seen.has(made.value)) return [];
    seen.add(made.value);
    return [kind];
  });
}
