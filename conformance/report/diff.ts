/** A piece of one text that the other has too, or has not. */
export interface Piece {
  readonly text: string;
  readonly same: boolean;
}

/** A larger table of comparison costs too much; then the whole middle is marked. */
const cellLimit = 1_000_000;

/** Marks, character by character, where two texts differ. Texts with little in common are left unmarked, because marks would be noise. */
export function difference(expected: string, actual: string): { expected: Piece[]; actual: Piece[] } {
  const [a, b] = [Array.from(expected), Array.from(actual)];
  const start = commonStart(a, b);
  const end = commonStart(a.slice(start).reverse(), b.slice(start).reverse());
  const common = commonInOrder(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const edge = (length: number) => Array<boolean>(length).fill(true);
  const sameA = smooth([...edge(start), ...common.a, ...edge(end)]);
  const sameB = smooth([...edge(start), ...common.b, ...edge(end)]);
  const kept = sameA.filter(Boolean).length;
  if (kept * 2 < Math.max(a.length, b.length))
    return { expected: [{ text: expected, same: true }], actual: [{ text: actual, same: true }] };
  return { expected: pieces(a, sameA), actual: pieces(b, sameB) };
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((character, index) => character !== b[index]);
  return different === -1 ? a.length : different;
}

/** Which characters belong to the longest common subsequence. */
function commonInOrder(a: readonly string[], b: readonly string[]): { a: boolean[]; b: boolean[] } {
  const same = { a: Array<boolean>(a.length).fill(false), b: Array<boolean>(b.length).fill(false) };
  if (a.length === 0 || b.length === 0 || a.length * b.length > cellLimit) return same;
  const columns = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * columns);
  const at = (row: number, column: number) => lengths[row * columns + column] as number;
  for (let row = a.length - 1; row >= 0; row -= 1) {
    for (let column = b.length - 1; column >= 0; column -= 1) {
      lengths[row * columns + column] =
        a[row] === b[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  for (let row = 0, column = 0; row < a.length && column < b.length; ) {
    if (a[row] === b[column]) {
      same.a[row++] = true;
      same.b[column++] = true;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return same;
}

/** A single equal character between two differences is equal by chance and is marked with them. */
function smooth(same: readonly boolean[]): boolean[] {
  return same.map((here, index) => here && !(same[index - 1] === false && same[index + 1] === false));
}

function pieces(characters: readonly string[], same: readonly boolean[]): Piece[] {
  const found: { text: string; same: boolean }[] = [];
  for (const [index, character] of characters.entries()) {
    const last = found.at(-1);
    if (last !== undefined && last.same === same[index]) last.text += character;
    else found.push({ text: character, same: same[index] === true });
  }
  return found;
}
