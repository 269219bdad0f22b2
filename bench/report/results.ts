import { type Figure, isMet, type Results } from '../result.js';
import { line } from '../statistics.js';
import { figureCells, growthCells, heads, peerCells } from './rows.js';

/** The results as data: every ratio by its name, null when it was skipped, and what it was made of. */
export function toJson({ figures, growth, peers, also }: Results, machine: object) {
  return {
    ratios: Object.fromEntries(figures.map(({ name, summary }) => [name, summary?.median ?? null])),
    raw: {
      ...Object.fromEntries(figures.map((figure) => [figure.name, { ...figure, met: isMet(figure) ?? null }])),
      peers,
      growth: growth.map(({ name, unit, points }) => ({
        name,
        unit,
        points,
        requests: line(points.map(({ at, requests }) => [at, requests])),
        seconds: line(points.map(({ at, seconds }) => [at, seconds])),
      })),
      ...also,
    },
    machine,
  };
}

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

const width = 40;

/** Each ratio as a bar on a scale on which its goal stands in the middle; beyond the goal is better to the right for ≥, to the left for ≤. */
function plot(figures: readonly Figure[]): string[] {
  const shown = figures.filter(({ summary, goal }) => summary !== undefined && goal !== undefined);
  if (shown.length === 0) return [];
  const longest = Math.max(...shown.map(({ name }) => name.length));
  return ['Against the goal, which is the bar |', ...shown.map((figure) => `  ${figure.name.padEnd(longest)}  ${bar(figure)}`)];
}

function bar({ summary, goal }: Figure): string {
  const wanted = goal?.atLeast ?? goal?.atMost ?? 1;
  const filled = Math.max(0, Math.min(width, Math.round(((summary?.median ?? 0) / wanted / 2) * width)));
  const cells: string[] = Array.from({ length: width }, (_, at) => (at < filled ? '█' : '·'));
  cells.splice(width / 2, 0, '|');
  return `${cells.join('')} ${goal?.atLeast === undefined ? 'less is better' : 'more is better'}`;
}
