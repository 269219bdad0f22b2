import { crc32 } from 'node:zlib';
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
  () => ({ value: '*', how: 'an asterisk' }),
  () => ({ value: "' OR '1'='1", how: 'an SQL condition' }),
  (text) => ({ value: text.slice(0, text.indexOf(':')), how: 'cut at its first colon' }),
  (text) => ({ value: text.slice(text.lastIndexOf(':') + 1), how: 'only what follows its last colon' }),
  (text) => ({ value: text.normalize('NFD').replace(/\p{M}/gu, ''), how: 'without its accents' }),
  (text) => ({ value: `${text}\u0301`, how: 'a combining accent behind' }),
  (text) => ({ value: `${text}\u200b`, how: 'a zero-width space behind' }),
  (text) => ({ value: highestChanged(text), how: 'with another character for one beyond ASCII' }),
  (text) => ({ value: text + text, how: 'written twice' }),
  (text) => ({ value: `${text}\u0000`, how: 'a zero octet behind, which PBKDF2 and scrypt do not tell apart' }),
  (text) => ({ value: [...text].reverse().join(''), how: 'reversed' }),
  (text) => ({ value: percentEncoded(text), how: 'its first character percent-encoded' }),
  (text) => ({ value: `"${text}"`, how: 'in quotation marks' }),
  (text) => ({ value: `${text}:x`, how: 'a colon and more behind' }),
  (text) => ({ value: `${text}:`, how: 'a colon behind' }),
  (text) => ({ value: fullWidth(text), how: 'in letters of full width' }),
  (text) => ({ value: sameStringHash(text), how: 'another text with the same 31-fold hash' }),
  (text) => ({ value: /^\d+$/.test(text) ? `0${text}` : text, how: 'the same number with a zero in front' }),
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

const table = Array.from({ length: 256 }, (_, octet) => ~crc32(Buffer.of(octet), 0xffffffff) >>> 0);

/** The four octets that lead from one CRC-32 to another. */
function crcSuffix(from: number, to: number): number[] {
  // Backwards from the end: each step is the one entry of the table whose highest octet fits.
  let target = ~to >>> 0;
  const steps: number[] = [];
  for (let step = 0; step < 4; step += 1) {
    const index = table.findIndex((entry) => entry >>> 24 === target >>> 24);
    steps.unshift(index);
    target = ((target ^ (table[index] as number)) << 8) >>> 0;
  }
  let crc = ~from >>> 0;
  return steps.map((index) => {
    const octet = (crc & 0xff) ^ index;
    crc = (table[index] as number) ^ (crc >>> 8);
    return octet;
  });
}

function swapCase(text: string): string {
  return [...text].map((each) => (each === each.toUpperCase() ? each.toLowerCase() : each.toUpperCase())).join('');
}

/** Every mistake with a paraphrase. One is moot that leaves it as it is, or makes of it what another made. */
export function wrongParaphrases(paraphrase: string): NearMiss[] {
  const seen = new Set<string>();
  return mistakes.map((mistake) => {
    const made = mistake(paraphrase);
    const isMoot = seen.has(made.value) || made.value.normalize('NFC') === paraphrase.normalize('NFC');
    seen.add(made.value);
    return { ...made, isMoot };
  });
}
