const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

export type Paint = (style: keyof typeof codes, text: string) => string;

export function painter(colour: boolean): Paint {
  return (style, text) => {
    const [on, off] = codes[style];
    return colour && text !== '' ? `\x1b[${on}m${text}\x1b[${off}m` : text;
  };
}

/** Breaks text into lines of at most so many characters, at blanks only: a word is copied whole. Its own line breaks stay. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = [];
    let rest = line;
    while (rest.length > width) {
      const within = rest.lastIndexOf(' ', width);
      const blank = within > width / 3 ? within : rest.indexOf(' ', width);
      if (blank < 0) break;
      lines.push(rest.slice(0, blank));
      rest = rest.slice(blank + 1);
    }
    return [...lines, rest];
  });
}

export function indent(lines: readonly string[], by: number): string[] {
  return lines.map((line) => (line === '' ? '' : `${' '.repeat(by)}${line}`));
}

/** A label and its text beside it, wrapped into a column. */
export function labelled(label: string, text: string, { width, labelWidth }: { width: number; labelWidth: number }): string[] {
  const [first = '', ...others] = wrap(text, Math.max(20, width - labelWidth));
  return [`${label.padEnd(labelWidth)}${first}`, ...indent(others, labelWidth)];
}

/** Two columns, line by line. */
export function beside(left: readonly string[], right: readonly string[], leftWidth: number): string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) =>
    `${(left[index] ?? '').padEnd(leftWidth)}${right[index] ?? ''}`.trimEnd(),
  );
}
