import { isMet, type Results } from '../result.js';
import { line } from '../statistics.js';

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
