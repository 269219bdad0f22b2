import type { Matrix } from './matrix.js';
import { isRight, type Row } from './row.js';

/** Whether chance plays a part: the same servers, judged whole with many seeds. */
export interface Stability {
  readonly seeds: readonly number[];
  readonly engine?: Matrix['kit']['engine'];
  readonly variants: number;
  /** Conformant servers that were accused, and how often. */
  readonly accused: readonly Times[];
  readonly faults: number;
  /** Faults that were not found, or blamed for more, and how often they were told exactly. */
  readonly inexact: readonly Times[];
}

export interface Times {
  readonly id: string;
  readonly times: number;
}

/** What self-tests with different seeds say together. Every server has as many rows as there are seeds. */
export function stabilityOf(matrices: readonly Pick<Matrix, 'kit' | 'rows'>[]): Stability {
  const seeds = matrices.map(({ kit }) => kit.seed).sort((one, other) => one - other);
  const rows = matrices.flatMap((matrix) => matrix.rows);
  const engine = matrices[0]?.kit.engine;
  const ids = (kind: Row['kind']) => [...new Set(rows.filter((row) => row.kind === kind).map(({ id }) => id))];
  const right = (id: string) => rows.filter((row) => row.id === id && isRight(row)).length;
  const variants = ids('variant');
  const faults = ids('fault');
  return {
    seeds,
    ...(engine === undefined ? {} : { engine }),
    variants: variants.length,
    accused: [...ids('reference'), ...variants].map((id) => ({ id, times: seeds.length - right(id) })).filter(({ times }) => times > 0),
    faults: faults.length,
    inexact: faults.map((id) => ({ id, times: right(id) })).filter(({ times }) => times < seeds.length),
  };
}
