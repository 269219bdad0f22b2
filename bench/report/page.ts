import { markdownTable } from '../../conformance/report/index.js';
import { measured, withFigures } from '../../conformance/self-test/index.js';
import type { Figure, Growth, Peer } from '../result.js';
import { figureCells, growthCells, heads, peerCells } from './rows.js';

/** What the page shows of the file that the bench wrote. */
export interface Measured {
  readonly ratios: Readonly<Record<string, number | null>>;
  readonly raw: Readonly<Record<string, unknown>> & { readonly peers: readonly Peer[]; readonly growth: readonly Growth[] };
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

/** docs/performance.md, with the figures of the file beside it. */
export function performancePage(): string {
  return withFigures('performance.md', figureParts(measured<Measured>('performance.json') as Measured));
}

/** The tables of the page, from what a run of the bench wrote. */
export function figureParts({ ratios, raw, machine }: Measured): string[] {
  const figures = Object.keys(ratios).map((name) => figureCells(raw[name] as Figure));
  return [
    machineText(machine),
    markdownTable(
      heads.figures,
      figures.map(([name, ...cells]) => [`\`${name}\``, ...cells]),
    ),
    '### Other tools, in the same run',
    markdownTable(heads.peers, raw.peers.map(peerCells)),
    '### How a run grows',
    'Requests and seconds of a whole run with every requirement and the clock, against what is asked of it.',
    markdownTable(
      heads.growth,
      raw.growth.map((each) => growthCells(each, '<br>')),
    ),
  ];
}

function machineText({ cpu, cores, memoryMb, system, node, loadBefore, loadAfter, stolen, takenAt, quick }: Measured['machine']): string {
  const other = stolen === undefined ? '' : `, ${(stolen * 100).toFixed(1)} % of its time taken by other machines on the same host`;
  return `Taken on ${takenAt.slice(0, 10)} on ${cpu}, ${cores} cores, ${Math.round(memoryMb / 1024)} GB, ${system}, Node.js ${node}; load ${loadBefore} before and ${loadAfter} after${other}.${quick ? ' A quick run, which shows that everything works and not how fast it is.' : ''}`;
}
