/** A piece of one text that the other has too, or has not. */
export interface Piece {
  readonly text: string;
  readonly same: boolean;
}

/** Marks what stands between the common beginning and the common end of two texts. Texts with little in common are left unmarked, because marks would be noise. */
export function difference(expected: string, actual: string): { expected: Piece[]; actual: Piece[] } {
  const [a, b] = [Array.from(expected), Array.from(actual)];
  const start = commonStart(a, b);
  const end = commonStart(a.slice(start).reverse(), b.slice(start).reverse());
  if ((start + end) * 2 < Math.max(a.length, b.length))
    return { expected: [{ text: expected, same: true }], actual: [{ text: actual, same: true }] };
  return { expected: pieces(a, start, end), actual: pieces(b, start, end) };
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((character, index) => character !== b[index]);
  return different === -1 ? a.length : different;
}

function pieces(characters: readonly string[], start: number, end: number): Piece[] {
  const until = characters.length - end;
  return [
    { text: characters.slice(0, start).join(''), same: true },
    { text: characters.slice(start, until).join(''), same: false },
    { text: characters.slice(until).join(''), same: true },
  ].filter(({ text }) => text !== '');
}
