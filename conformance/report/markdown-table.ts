type Cells = readonly (string | number)[];

/** A table in Markdown. The caller escapes the cells. */
export function markdownTable(head: Cells, rows: readonly Cells[]): string {
  const line = (cells: Cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
