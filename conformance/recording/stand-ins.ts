import { createHmac, randomBytes } from 'node:crypto';

const accented = 'àáâãèéêìíîñòóôõùúû';
/** Letters that no other writes as two, by the octets they take in UTF-8, and how many follow on the first. */
const others: Readonly<Record<number, readonly [first: number, count: number]>> = { 2: [0x561, 38], 3: [0x4e00, 200], 4: [0x10330, 26] };
/** A short value has few of its shape; after so many tries two of them may look alike. */
const mostTries = 50;

/**
 * Gives every secret another text of the same shape, the same one each time: digits stay digits, hexadecimal ones hexadecimal, and the
 * octets as many. What differs in letter case alone, or in how accents are composed, does so afterwards; everything else looks unrelated.
 * The key goes with the object, so that nobody can tell the secret from it.
 */
export class StandIns {
  private readonly key = randomBytes(32);
  /** By the value without its letter case: the try that is like no other one. */
  private readonly tries = new Map<string, number>();
  private readonly taken = new Set<string>();

  of(value: string): string {
    const composed = value.normalize('NFC');
    const made = this.made(composed, this.tryOf(composed.toLowerCase()));
    return value === composed ? made : made.normalize('NFD');
  }

  /** Of octets nothing but whether they are the same. */
  digest(octets: Buffer | string): Buffer {
    return createHmac('sha256', this.key).update(octets).digest();
  }

  private tryOf(plain: string): number {
    const known = this.tries.get(plain);
    if (known !== undefined) return known;
    let turn = 0;
    let made = this.made(plain, turn);
    for (; (made === plain || this.taken.has(made)) && turn < mostTries; made = this.made(plain, turn)) turn += 1;
    this.taken.add(made);
    this.tries.set(plain, turn);
    return turn;
  }

  private made(text: string, turn: number): string {
    const characters = [...text];
    const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
    const blocks = Math.ceil(characters.length / 32);
    const chances = Buffer.concat(Array.from({ length: blocks }, (_, block) => this.digest(`${block} ${turn} ${text.toLowerCase()}`)));
    return characters
      .map((each, index) => {
        // A letter behind a backslash belongs to an escape, and these digits of a UUID name its kind.
        const isKept = characters[index - 1] === '\\' || (isUuid && (index === 14 || index === 19));
        return isKept ? each : another(each, chances[index] ?? 0);
      })
      .join('');
  }
}

function another(character: string, chance: number): string {
  const lower = character.toLowerCase();
  const isUpper = character !== lower;
  const cased = (letter: string) => (isUpper ? letter.toUpperCase() : letter);
  if (/[0-9]/.test(character)) return String(chance % 10);
  if (/[a-f]/.test(lower)) return cased('abcdef'.charAt(chance % 6));
  if (/[g-z]/.test(lower)) return cased('ghijklmnopqrstuvwxyz'.charAt(chance % 20));
  if (/[\0-\x7f]/.test(character)) return character;
  if (/[à-ÿ]/.test(lower)) return cased(accented.charAt(chance % accented.length));
  const [first, count] = others[Buffer.byteLength(character)] ?? [0x4e00, 200];
  return String.fromCodePoint(first + (chance % count));
}
