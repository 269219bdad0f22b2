import fc from 'fast-check';
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
];

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
