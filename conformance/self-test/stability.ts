import { examineRow, isRight } from './row.js';
import type { Specimen } from './specimen.js';

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

/** How often a fault is found, judged by the requirements it names. */
export async function timesFound(fault: Specimen, seeds: readonly number[]): Promise<number> {
  let found = 0;
  for (const seed of seeds) {
    const alone = await examineRow(fault, ['laws'], { seed, only: fault.expected });
    const row = isRight(alone) ? alone : await examineRow(fault, ['laws'], { seed, only: [...fault.expected, ...busyLaws] });
    if (isRight(row)) found += 1;
  }
  return found;
}

/** How often a conformant server is not left in peace. */
export async function timesAccused(server: Specimen, seeds: readonly number[]): Promise<number> {
  let accused = 0;
  for (const seed of seeds) if (!isRight(await examineRow(server, ['laws'], { seed }))) accused += 1;
  return accused;
}
