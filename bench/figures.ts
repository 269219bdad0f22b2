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

interface Told {
  /** What is measured, against what. */
  readonly what: string;
  readonly unit?: string;
  readonly goal?: { readonly atLeast?: number; readonly atMost?: number };
}

const bareHapi = 'requests a second of processor time against bare Hapi';
const waits = 'requests that wait for each other at 150 ms';
const all = {
  tokenUseVsBareHapi: { what: `Step C, ${bareHapi}`, goal: { atLeast: 0.95 } },
  challengeVsBareHapi: { what: `Step A, ${bareHapi}`, goal: { atLeast: 0.95 } },
  exchangeVsBareHapi: { what: `Step B, ${bareHapi}`, goal: { atLeast: 0.8 } },
  redisTokenUseVsMemory: { what: 'Step C with the Redis store against the memory store', goal: { atLeast: 0.6 } },
  proxyVsPlainProxy: { what: 'hydrauth proxy against a plain node:http proxy', goal: { atLeast: 0.7 } },
  lawsRequestRateVsRawClient: { what: 'requests a second of the laws against a node:http loop', goal: { atLeast: 0.5 } },
  fullLawsRunVsNewmanOneFlow: { what: 'check --engine laws against newman with one flow', goal: { atMost: 1.5 } },
  fullRunVsNewmanOneFlow: { what: 'check with both engines against newman with one flow', goal: { atMost: 2.5 } },
  startUpVsBareNode: { what: 'hydrauth --help against node -e 0', goal: { atMost: 1.3 } },
  requests: { what: 'requests of a run with two users and both engines', goal: { atMost: 1500 } },
  limitedRun: { what: 'a limit of 20 a second, against requests over 20', goal: { atMost: 1.15 } },
  depthOfLaws: { what: `${waits}, laws alone`, goal: { atMost: 90 } },
  depth: { what: `${waits}, both engines`, goal: { atMost: 150 } },
  challengeMemoryPerMillion: { what: 'growth of the resident set, after 1,000,000 challenges', unit: 'MB', goal: { atMost: 64 } },
  selfTestMinutes: { what: 'the whole self-test with both engines', unit: 'min', goal: { atMost: 8 } },
} satisfies Readonly<Record<string, Told>>;

export type FigureName = keyof typeof all;

/** One figure of the table. */
export interface Figure extends Told {
  readonly name: string;
  readonly summary?: Summary;
  /** Why there is no figure. */
  readonly skipped?: string;
  /** What it was made of. */
  readonly raw?: unknown;
}

/** Adds a figure by what was measured in each round, or with the reason why nothing was. */
export type Add = (name: FigureName, rounds: readonly number[] | string, raw?: unknown, what?: string) => void;

export function addTo(figures: Figure[]): Add {
  return (name, rounds, raw, what = all[name].what) => {
    const measured = typeof rounds === 'string' ? { skipped: rounds } : { summary: summarize(rounds), raw };
    figures.push({ name, ...all[name], what, ...measured });
  };
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
export const performancePage = (): string => withFigures('performance.md', figureParts(measured<Measured>('performance.json')));

/** The machine, and the table of the figures. */
export function figureParts({ figures, machine }: Measured): string[] {
  const { cpu, cores, memoryMb, system, node, load, takenAt, quick } = machine;
  const rows = figures.map(cellsOf).map(([name, ...cells]) => [`\`${name}\``, ...cells]);
  return [
    `Taken on ${takenAt.slice(0, 10)} on ${cpu}, ${cores} cores, ${Math.round(memoryMb / 1024)} GB, ${system}, Node.js ${node}; load ${load[0]} before and ${load[1]} after.${quick ? ' A quick run, which shows that everything works and not how fast it is.' : ''}`,
    markdownTable(heads, rows),
  ];
}
