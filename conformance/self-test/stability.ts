import { isRight, type Row } from './row.js';

/** Whether chance plays a part: the same servers, judged whole with many seeds. */
export interface Stability {
  readonly seeds: readonly number[];
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

/** Laws that send many odd requests: some faults are only seen in passing, in the answers to these. */
export const busyLaws: readonly string[] = [
  'protection.headers',
  'protection.unknown-paths',
  'token.unknown-refused',
  'exchange.malformed',
  'exchange.wrong-nonce-refused',
  'expiry.for-ever',
];

/** What the rows of all seeds say together. Every server has as many rows as there are seeds. */
export function stabilityOf(seeds: readonly number[], rows: readonly Row[]): Stability {
  const ids = (kind: Row['kind']) => [...new Set(rows.filter((row) => row.kind === kind).map(({ id }) => id))];
  const right = (id: string) => rows.filter((row) => row.id === id && isRight(row)).length;
  const variants = ids('variant');
  const faults = ids('fault');
  return {
    seeds,
    variants: variants.length,
    accused: [...ids('reference'), ...variants].map((id) => ({ id, times: seeds.length - right(id) })).filter(({ times }) => times > 0),
    faults: faults.length,
    inexact: faults.map((id) => ({ id, times: right(id) })).filter(({ times }) => times < seeds.length),
  };
}
