export interface Summary {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  /** Half the distance between the quartiles, as a part of the median: how far apart two runs of the bench may come out. */
  readonly noise: number;
  readonly rounds: readonly number[];
}

export function summarize(rounds: readonly number[]): Summary {
  const sorted = [...rounds].sort((one, other) => one - other);
  const median = quantile(sorted, 0.5);
  return {
    median,
    low: sorted[0] ?? Number.NaN,
    high: sorted.at(-1) ?? Number.NaN,
    noise: median === 0 ? 0 : (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 2 / Math.abs(median),
    rounds,
  };
}

export function quantile(sorted: ArrayLike<number>, part: number): number {
  const at = (sorted.length - 1) * part;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

interface Line {
  readonly slope: number;
  readonly intercept: number;
  /** 1 when the points lie on the line. */
  readonly fit: number;
}

/** The straight line nearest to the points, by least squares. */
export function line(points: readonly (readonly [x: number, y: number])[]): Line {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const sum = (term: (x: number, y: number) => number) => points.reduce((total, [x, y]) => total + term(x - meanX, y - meanY), 0);
  const slope = sum((x, y) => x * y) / sum((x) => x * x);
  const intercept = meanY - slope * meanX;
  const left = points.reduce((total, [x, y]) => total + (y - intercept - slope * x) ** 2, 0);
  const whole = sum((_, y) => y * y);
  return { slope, intercept, fit: whole === 0 ? 1 : 1 - left / whole };
}
