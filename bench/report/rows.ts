import { type Figure, type Growth, isMet, type Peer } from '../result.js';
import { line, type Summary } from '../statistics.js';

/** The cells of each table, for the terminal and for the page alike. */
export const heads = {
  figures: ['figure', 'what against what', 'median', 'rounds', 'goal', ''],
  peers: ['tool', 'what', 'median', 'rounds'],
  growth: ['with', 'points', 'one more costs', 'fit to a line'],
} as const;

export function figureCells(figure: Figure): string[] {
  const { name, what, unit, goal, summary, skipped = '' } = figure;
  if (summary === undefined) return [name, what, 'skipped', skipped, '', ''];
  const wanted = goal === undefined ? 'report' : goal.atLeast === undefined ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`;
  const met = isMet(figure);
  return [name, what, withUnit(summary.median, unit), range(summary), wanted, met === undefined ? '' : met ? 'met' : 'missed'];
}

export function peerCells({ name, what, unit, summary, skipped = '' }: Peer): string[] {
  return summary === undefined ? [name, what, 'skipped', skipped] : [name, what, withUnit(summary.median, unit), range(summary)];
}

export function growthCells({ name, unit, points }: Growth, between: string): string[] {
  const along = (value: (point: Growth['points'][number]) => number) => line(points.map((point) => [point.at, value(point)]));
  const [requests, seconds] = [along((point) => point.requests), along((point) => point.seconds)];
  return [
    name,
    points.map((point) => `${point.at}: ${Math.round(point.requests)} requests, ${short(point.seconds)} s`).join(between),
    `a ${unit}: ${short(requests.slope)} requests, ${short(seconds.slope * 1000)} ms`,
    `requests ${requests.fit.toFixed(3)}, time ${seconds.fit.toFixed(3)}`,
  ];
}

function range({ low, high, noise, rounds }: Summary): string {
  return rounds.length < 2 ? 'one round' : `${short(low)} to ${short(high)}, noise ${(noise * 100).toFixed(0)} %`;
}

function withUnit(value: number, unit: string | undefined): string {
  return unit === undefined ? short(value) : `${short(value)} ${unit}`;
}

function short(value: number): string {
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}
