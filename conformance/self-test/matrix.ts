import type { ServerEngine } from '../../spec/index.js';
import { endedConformant, foundOf, isRight, type Row } from './row.js';

/** The whole self-test, as it is written to a file. */
export interface Matrix {
  readonly kit: {
    readonly name: 'hydrauth';
    readonly version: string;
    readonly seed: number;
    readonly runs: number;
    /** Which engines judged. A file without it is of the time when each of them judged alone. */
    readonly engine?: 'all' | 'laws' | 'postman';
    /** Only the cases of the rows that each specimen violates were tried. */
    readonly quick?: true;
  };
  readonly startedAt: string;
  readonly durationMs: number;
  readonly counts: Counts;
  readonly rows: readonly Row[];
}

export interface Counts {
  readonly faults: number;
  readonly variants: number;
  /** Pairs of a fault and a requirement that it violates. */
  readonly violations: number;
  /** Rows in which a violation was not found. */
  readonly missed: number;
  /** Rows in which somebody is accused wrongly. */
  readonly alarms: number;
  /** Rows that could not be judged, or ended with a wrong verdict. */
  readonly errors: number;
  /** How many of the violations each engine found. */
  readonly foundBy: Readonly<Record<ServerEngine, number>>;
  readonly requests: number;
  readonly pairs: PairCounts;
}

/** Of two faults, or a fault and a variant, in one server. */
interface PairCounts {
  readonly drawn: number;
  /** All that both violate was found. */
  readonly toldWhole: number;
  readonly endedConformant: number;
  /** Pairs beside which a requirement was blamed that neither violates. */
  readonly strangersBlamed: number;
}

export function countsOf(rows: readonly Row[]): Counts {
  const faults = rows.filter((row) => row.kind === 'fault');
  const pairs = rows.filter((row) => row.kind === 'pair');
  const foundBy = (engine: ServerEngine) => faults.flatMap((row) => foundOf(row, engine)).length;
  return {
    faults: faults.length,
    variants: rows.filter((row) => row.kind === 'variant').length,
    violations: faults.flatMap((row) => row.expected).length,
    missed: rows.filter((row) => row.missed.length > 0).length,
    alarms: rows.filter((row) => row.alarms.length > 0).length,
    errors: rows.filter((row) => row.error !== undefined).length,
    foundBy: { laws: foundBy('laws'), postman: foundBy('postman') },
    requests: rows.reduce((sum, { examination }) => sum + (examination?.requests ?? 0), 0),
    pairs: {
      drawn: pairs.length,
      toldWhole: pairs.filter((row) => row.missed.length === 0).length,
      endedConformant: pairs.filter(endedConformant).length,
      strangersBlamed: pairs.filter((row) => row.alarms.length > 0).length,
    },
  };
}

export function allRight(matrix: Pick<Matrix, 'rows'>): boolean {
  return matrix.rows.every(isRight);
}

/** A row a line, so that two files can be compared. */
export function matrixJson({ rows, ...rest }: Matrix): string {
  return `${JSON.stringify(rest).slice(0, -1)},"rows":[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]}\n`;
}
