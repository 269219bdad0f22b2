import { type Figure, type Growth, isMet, type Peer, type Results } from '../result.js';
import { line, type Summary } from '../statistics.js';
import { plot } from './plot.js';

/** Everything that was measured, for a reader. */
export function report({ figures, growth, peers }: Results): string {
  return [
    'Ratios and figures, median of the rounds',
    ...columns(figures.map(figureRow)),
    '',
    ...plot(figures),
    ...(peers.length === 0 ? [] : ['', 'Other tools, in the same run', ...columns(peers.map(peerRow))]),
    ...(growth.length === 0 ? [] : ['', 'How a run grows', ...growth.flatMap(growthLines)]),
    '',
  ].join('\n');
}

function figureRow(figure: Figure): string[] {
  const { name, what, summary, skipped, goal, unit } = figure;
  if (summary === undefined) return [name, '-', '', '', `skipped: ${skipped}`];
  const wanted = goal === undefined ? 'report' : goal.atLeast === undefined ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`;
  const met = isMet(figure);
  return [
    name,
    `${short(summary.median)}${unit === undefined ? '' : ` ${unit}`}`,
    range(summary),
    `${wanted}${met === undefined ? '' : met ? ' met' : ' missed'}`,
    what,
  ];
}

function peerRow({ name, what, unit, summary, skipped }: Peer): string[] {
  return summary === undefined ? [name, '-', '', skipped ?? ''] : [name, `${short(summary.median)} ${unit}`, range(summary), what];
}

export function range({ low, high, noise, rounds }: Summary): string {
  return rounds.length < 2 ? 'one round' : `${short(low)} to ${short(high)}, noise ${(noise * 100).toFixed(0)} %`;
}

function growthLines({ name, unit, points }: Growth): string[] {
  const slope = (value: (point: Growth['points'][number]) => number) => line(points.map((point) => [point.at, value(point)]));
  const [requests, seconds] = [slope((point) => point.requests), slope((point) => point.seconds)];
  return [
    `  ${name}: ${points.map(({ at, requests: sent, seconds: took }) => `${at}: ${Math.round(sent)} requests, ${short(took)} s`).join('; ')}`,
    `    a ${unit} more: ${short(requests.slope)} requests (fit ${requests.fit.toFixed(3)}), ${short(seconds.slope * 1000)} ms (fit ${seconds.fit.toFixed(3)})`,
  ];
}

export function short(value: number): string {
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}

function columns(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}
