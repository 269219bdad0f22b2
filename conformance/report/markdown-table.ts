type Cells = readonly (string | number)[];

/** A table in Markdown; what stands in its cells is written as it is. */
export function markdownTable(head: Cells, rows: readonly Cells[]): string {
  const line = (cells: Cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
