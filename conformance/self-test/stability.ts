import { isRight, type Row } from './row.js';

/** Whether chance plays a part: the same servers, judged with many seeds. */
export interface Stability {
  readonly seeds: number;
  readonly variants: readonly string[];
  readonly alarms: number;
  readonly faults: number;
  /** Faults that were not found every time, and how often they were. */
  readonly missed: readonly { readonly id: string; readonly found: number }[];
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
export function stabilityOf(seeds: number, rows: readonly Row[]): Stability {
  const faults = [...new Set(rows.filter(({ kind }) => kind === 'fault').map(({ id }) => id))];
  const conformant = rows.filter(({ kind }) => kind !== 'fault');
  const found = (id: string) => rows.filter((row) => row.id === id && isRight(row)).length;
  return {
    seeds,
    variants: [...new Set(conformant.filter(({ kind }) => kind === 'variant').map(({ id }) => id))],
    alarms: conformant.filter((row) => !isRight(row)).length,
    faults: faults.length,
    missed: faults.map((id) => ({ id, found: found(id) })).filter(({ found: times }) => times < seeds),
  };
}
