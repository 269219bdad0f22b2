import type { Figure } from '../result.js';

const width = 40;

/** Each ratio as a bar on a scale on which its goal stands in the middle; beyond the goal is better to the right for ≥, to the left for ≤. */
export function plot(figures: readonly Figure[]): string[] {
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
