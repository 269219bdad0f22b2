import { markdownTable } from '../conformance/report/index.js';
import { measured, withFigures } from '../conformance/self-test/index.js';

/** What was measured in some rounds. */
export interface Summary {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  /** Half the distance between the quartiles, as a part of the median: how far apart two runs of the bench may come out. */
  readonly noise: number;
  readonly rounds: readonly number[];
}

/** One figure of the table. */
export interface Figure {
  readonly name: string;
  readonly what: string;
  readonly unit?: string;
  readonly goal?: { readonly atLeast?: number; readonly atMost?: number };
  readonly summary?: Summary;
  /** Why there is no figure. */
  readonly skipped?: string;
  /** What it was made of. */
  readonly raw?: unknown;
}

export function summarize(rounds: readonly number[]): Summary {
  const sorted = [...rounds].sort((one, other) => one - other);
  const quantile = (part: number) => {
    const at = (sorted.length - 1) * part;
    const below = sorted[Math.floor(at)] ?? Number.NaN;
    return below + ((sorted[Math.ceil(at)] ?? Number.NaN) - below) * (at - Math.floor(at));
  };
  const median = quantile(0.5);
  const noise = median === 0 ? 0 : (quantile(0.75) - quantile(0.25)) / 2 / Math.abs(median);
  return { median, low: quantile(0), high: quantile(1), noise, rounds };
}

export function figure(name: string, what: string, rounds: readonly number[], more: Pick<Figure, 'goal' | 'unit' | 'raw'> = {}): Figure {
  return { name, what, summary: summarize(rounds), ...more };
}

/** Does every work once a round, each round beginning with another, so that what changes meanwhile meets all alike. */
export async function byTurns<Name extends string, Value>(
  rounds: number,
  works: Readonly<Record<Name, () => Promise<Value>>>,
): Promise<Record<Name, Value[]>> {
  const names = Object.keys(works) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, [] as Value[]])) as Record<Name, Value[]>;
  for (let round = 0; round < rounds; round++)
    for (const step of names.keys()) {
      const name = names[(round + step) % names.length] as Name;
      values[name].push(await works[name]());
    }
  return values;
}

/** One quotient a round, of what was measured side by side. */
export const quotients = (of: readonly number[], over: readonly number[]): number[] =>
  of.map((value, round) => value / (over[round] as number));

const heads = ['figure', 'what against what', 'median', 'rounds', 'goal', ''];

function cellsOf({ name, what, unit, goal, summary, skipped = '' }: Figure): string[] {
  if (summary === undefined) return [name, what, 'skipped', skipped, '', ''];
  const { median, low, high, noise, rounds } = summary;
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = goal ?? {};
  return [
    name,
    what,
    `${short(median)}${unit === undefined ? '' : ` ${unit}`}`,
    rounds.length < 2 ? 'one round' : `${short(low)} to ${short(high)}, noise ${(noise * 100).toFixed(0)} %`,
    goal === undefined ? 'report' : goal.atLeast === undefined ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`,
    goal === undefined ? '' : median >= atLeast && median <= atMost ? 'met' : 'missed',
  ];
}

const short = (value: number): string => (Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3));

/** What the bench writes as JSON, and the page shows. */
export interface Measured {
  /** Every figure by its name, null when it was skipped. */
  readonly ratios: Readonly<Record<string, number | null>>;
  readonly figures: readonly Figure[];
  readonly machine: {
    readonly cores: number;
    readonly cpu: string;
    readonly memoryMb: number;
    readonly system: string;
    readonly node: string;
    /** Processes that want a core, over the last minute. */
    readonly load: readonly [before: number, after: number];
    readonly takenAt: string;
    readonly quick: boolean;
  };
}

/** docs/performance.md, with the figures of the file beside it. */
export const performancePage = (): string => withFigures('performance.md', figureParts(measured<Measured>('performance.json') as Measured));

/** The machine, and the table of the figures. */
export function figureParts({ figures, machine }: Measured): string[] {
  const { cpu, cores, memoryMb, system, node, load, takenAt, quick } = machine;
  const rows = figures.map(cellsOf).map(([name, ...cells]) => [`\`${name}\``, ...cells]);
  return [
    `Taken on ${takenAt.slice(0, 10)} on ${cpu}, ${cores} cores, ${Math.round(memoryMb / 1024)} GB, ${system}, Node.js ${node}; load ${load[0]} before and ${load[1]} after.${quick ? ' A quick run, which shows that everything works and not how fast it is.' : ''}`,
    markdownTable(heads, rows),
  ];
}
