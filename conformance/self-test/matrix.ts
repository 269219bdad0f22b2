import type { Engine } from '../../spec/index.js';
import { isRight, type Row } from './row.js';

/** The whole self-test, as it is written to a file. */
export interface Matrix {
  readonly kit: { readonly name: 'hydrauth'; readonly version: string; readonly seed: number; readonly runs: number };
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
  /** Rows in which the laws miss a violation. */
  readonly missed: number;
  /** Rows in which an engine accuses wrongly. */
  readonly alarms: number;
  /** Rows that could not be judged. */
  readonly errors: number;
  /** How many of the violations each engine finds alone. */
  readonly foundBy: Readonly<Partial<Record<Engine, number>>>;
  readonly requests: number;
}

export function countsOf(rows: readonly Row[]): Counts {
  const faults = rows.filter((row) => row.kind === 'fault');
  const examinations = rows.flatMap((row) => Object.values(row.engines));
  const foundBy: Partial<Record<Engine, number>> = {};
  for (const row of faults) {
    for (const [engine, { found }] of Object.entries(row.engines)) {
      const count = row.expected.filter((requirement) => found[requirement] !== undefined).length;
      foundBy[engine as Engine] = (foundBy[engine as Engine] ?? 0) + count;
    }
  }
  return {
    faults: faults.length,
    variants: rows.filter((row) => row.kind === 'variant').length,
    violations: faults.reduce((sum, row) => sum + row.expected.length, 0),
    missed: rows.filter((row) => row.missed.length > 0).length,
    alarms: rows.filter((row) => row.alarms.length > 0).length,
    errors: rows.filter((row) => row.error !== undefined).length,
    foundBy,
    requests: examinations.reduce((sum, { requests }) => sum + requests, 0),
  };
}

export function allRight(matrix: Pick<Matrix, 'rows'>): boolean {
  return matrix.rows.every(isRight);
}
