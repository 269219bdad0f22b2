import { markdownTable } from '../../conformance/report/index.js';
import type { Figure, Peer } from '../result.js';
import type { Line } from '../statistics.js';
import { range, short } from './table.js';

/** What the page shows of the file that the bench wrote. */
export interface Measured {
  readonly ratios: Readonly<Record<string, number | null>>;
  readonly raw: Readonly<Record<string, unknown>> & {
    readonly peers: readonly Peer[];
    readonly growth: readonly Grown[];
  };
  readonly machine: {
    readonly cores: number;
    readonly cpu: string;
    readonly memoryMb: number;
    readonly system: string;
    readonly node: string;
    readonly loadBefore: number;
    readonly loadAfter: number;
    readonly stolen?: number;
    readonly takenAt: string;
    readonly quick: boolean;
  };
}

interface Grown {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly { readonly at: number; readonly requests: number; readonly seconds: number }[];
  readonly requests: Line;
  readonly seconds: Line;
}

interface Shown extends Figure {
  readonly met: boolean | null;
}

/** The tables of the page about speed, from what a run of the bench wrote. */
export function figuresText({ ratios, raw, machine }: Measured): string {
  const figures = Object.keys(ratios).map((name) => raw[name] as Shown);
  return [
    machineText(machine),
    markdownTable(['figure', 'what against what', 'median', 'rounds', 'goal', ''], figures.map(figureRow)),
    '### Other tools, in the same run',
    markdownTable(['tool', 'what', 'median', 'rounds'], raw.peers.map(peerRow)),
    '### How a run grows',
    'Requests and seconds of a whole run with every requirement and the clock, against what is asked of it.',
    markdownTable(['with', 'points', 'one more costs', 'fit to a line'], raw.growth.map(growthRow)),
  ].join('\n\n');
}

function machineText({ cpu, cores, memoryMb, system, node, loadBefore, loadAfter, stolen, takenAt, quick }: Measured['machine']): string {
  const other = stolen === undefined ? '' : `, ${(stolen * 100).toFixed(1)} % of its time taken by other machines on the same host`;
  return `Taken on ${takenAt.slice(0, 10)} on ${cpu}, ${cores} cores, ${Math.round(memoryMb / 1024)} GB, ${system}, Node.js ${node}; load ${loadBefore} before and ${loadAfter} after${other}.${quick ? ' A quick run, which shows that everything works and not how fast it is.' : ''}`;
}

function figureRow({ name, what, unit, goal, summary, skipped, met }: Shown): string[] {
  if (summary === undefined) return [`\`${name}\``, what, 'skipped', skipped ?? '', '', ''];
  const wanted = goal === undefined ? 'report' : goal.atLeast === undefined ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`;
  return [`\`${name}\``, what, withUnit(summary.median, unit), range(summary), wanted, met === null ? '' : met ? 'met' : 'missed'];
}

function peerRow({ name, what, unit, summary, skipped }: Peer): string[] {
  return summary === undefined ? [name, what, 'skipped', skipped ?? ''] : [name, what, withUnit(summary.median, unit), range(summary)];
}

function growthRow({ name, unit, points, requests, seconds }: Grown): string[] {
  return [
    name,
    points.map(({ at, requests: sent, seconds: took }) => `${at}: ${Math.round(sent)} requests, ${short(took)} s`).join('<br>'),
    `a ${unit}: ${short(requests.slope)} requests, ${short(seconds.slope * 1000)} ms`,
    `requests ${requests.fit.toFixed(3)}, time ${seconds.fit.toFixed(3)}`,
  ];
}

function withUnit(value: number, unit: string | undefined): string {
  return unit === undefined ? short(value) : `${short(value)} ${unit}`;
}
