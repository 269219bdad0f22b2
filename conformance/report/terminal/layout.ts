/** Breaks text into lines of at most so many characters, at blanks where possible. Its own line breaks stay. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = [];
    let rest = line;
    while (rest.length > width) {
      const blank = rest.lastIndexOf(' ', width);
      const end = blank > width / 3 ? blank : width;
      lines.push(rest.slice(0, end));
      rest = rest.slice(blank > width / 3 ? end + 1 : end);
    }
    return [...lines, rest];
  });
}

export function indent(lines: readonly string[], by: number): string[] {
  return lines.map((line) => (line === '' ? '' : `${' '.repeat(by)}${line}`));
}

/** Cuts one line to a width. */
export function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1)).trimEnd()}…`;
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
