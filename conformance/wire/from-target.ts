/** Enough of a piece to find every secret in it; what is shown of it is shorter. */
const keptCharacters = 4096;

/**
 * Marks a piece of a sentence that came from the target or went to it. Only such pieces are searched for secrets, so that the kit's own
 * words stay as they are. The marks are characters that no program shows, because Postman shows sentences as they are.
 */
export function fromTarget(text: string): string {
  return `\u2062${text.slice(0, keptCharacters).replace(/[\u2062\u2063]/g, '\ufffd')}\u2063`;
}

/** The sentence with every marked piece changed, and without the marks. A piece that was cut off lacks its end. */
export function changeMarked(sentence: string, change: (piece: string) => string): string {
  return sentence.replace(/\u2062([^\u2063]*)\u2063?/g, (_, piece: string) => change(piece));
}
