import type { Results } from '../result.js';
import { plot } from './plot.js';
import { figureCells, growthCells, heads, peerCells } from './rows.js';

/** Everything that was measured, for a reader at a terminal. */
export function report({ figures, growth, peers }: Results): string {
  const growths = growth.map((each) => growthCells(each, '; '));
  return [
    'Ratios and figures, median of the rounds',
    ...columns([heads.figures, ...figures.map(figureCells)]),
    '',
    ...plot(figures),
    ...(peers.length === 0 ? [] : ['', 'Other tools, in the same run', ...columns([heads.peers, ...peers.map(peerCells)])]),
    ...(growth.length === 0 ? [] : ['', 'How a run grows', ...columns([heads.growth, ...growths])]),
    '',
  ].join('\n');
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}
