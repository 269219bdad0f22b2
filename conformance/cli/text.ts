/** Breaks a text into lines of at most so many columns, between words; a longer word stands alone. */
export function wrap(text: string, width: number): string[] {
  return fillLines(
    text.split(/\s+/).filter((each) => each !== ''),
    width,
  );
}

/** The same of pieces that are not to be broken. */
export function fillLines(pieces: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + piece.length <= width) lines[lines.length - 1] = `${last} ${piece}`;
    else lines.push(piece);
  }
  return lines;
}

/** Two columns, names and their texts; an overlong name gets a line of its own. */
export function columns(rows: readonly (readonly [name: string, text: string])[], width: number): string[] {
  const longest = Math.max(0, ...rows.map(([name]) => name.length));
  const indent = Math.min(longest, 26) + 2;
  return rows.flatMap(([name, text]) => {
    const lines = wrap(text, width - indent - 2);
    const [first = '', ...more] = lines;
    const rest = more.map((line) => ' '.repeat(indent) + line);
    return name.length + 2 <= indent ? [name.padEnd(indent) + first, ...rest] : [name, ' '.repeat(indent) + first, ...rest];
  });
}
