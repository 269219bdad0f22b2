import type { Engine } from '../../spec/index.js';
import { type Depth, type Examination, examine } from './examine.js';
import type { Specimen } from './specimen.js';

/** One specimen in the matrix: what was expected, what each engine found alone, and where they differ. */
export interface Row {
  readonly kind: Specimen['kind'];
  readonly id: string;
  readonly sentence: string;
  readonly expected: readonly string[];
  readonly engines: Readonly<Partial<Record<Engine, Examination>>>;
  /** Violations that the laws did not find. */
  readonly missed: readonly string[];
  /** Accusations that are not true, by either engine. */
  readonly alarms: readonly Alarm[];
  /** Why the specimen could not be judged. */
  readonly error?: string;
}

export interface Alarm {
  readonly engine: Engine;
  readonly requirement: string;
}

export async function examineRow(specimen: Specimen, engines: readonly Engine[], depth: Depth): Promise<Row> {
  const { kind, id, sentence, expected } = specimen;
  const row = { kind, id, sentence, expected };
  const examined: Partial<Record<Engine, Examination>> = {};
  try {
    for (const engine of engines) {
      if (engine === 'laws' || specimen.auth === 'on') examined[engine] = await examine(specimen, engine, depth);
    }
  } catch (error) {
    return { ...row, engines: examined, missed: expected, alarms: [], error: error instanceof Error ? error.message : String(error) };
  }
  return { ...row, engines: examined, ...compare(specimen, examined) };
}

/**
 * A row as it would be if one law always passed. What is found in passing belongs to all laws of a requirement, since their requests
 * make it visible; it is silenced with each of them.
 */
export function withoutLaw(row: Row, law: { readonly id: string; readonly requirement: string }): Row {
  const silenced = [law.id, `${law.requirement}/in-passing`];
  const engines = Object.fromEntries(
    Object.entries(row.engines).map(([engine, examination]) => {
      const left = Object.entries(examination.found).map(
        ([requirement, checks]) => [requirement, checks.filter((each) => !silenced.includes(each))] as const,
      );
      return [engine, { ...examination, found: Object.fromEntries(left.filter(([, checks]) => checks.length > 0)) }];
    }),
  );
  return { ...row, engines, ...compare(row, engines) };
}

export function isRight(row: Row): boolean {
  return row.missed.length === 0 && row.alarms.length === 0 && row.error === undefined;
}

function compare({ kind, expected }: Pick<Row, 'kind' | 'expected'>, engines: Row['engines']): Pick<Row, 'missed' | 'alarms' | 'error'> {
  const { laws } = engines;
  const alarms = Object.entries(engines).flatMap(([engine, { found }]) =>
    Object.keys(found)
      .filter((requirement) => !expected.includes(requirement))
      .map((requirement): Alarm => ({ engine: engine as Engine, requirement })),
  );
  // The laws are the judge; the collection shows part of the same, and is only held to accuse nobody wrongly.
  const missed = laws === undefined ? [] : expected.filter((requirement) => laws.found[requirement] === undefined);
  const conformant = kind === 'fault' || Object.values(engines).every(({ verdict }) => verdict === 'conformant');
  return { missed, alarms, ...(conformant ? {} : { error: verdictsOf(engines) }) };
}

function verdictsOf(engines: Row['engines']): string {
  return Object.entries(engines)
    .map(([engine, { verdict, error }]) => `${engine}: ${verdict}${error === undefined ? '' : ` (${error})`}`)
    .join('; ');
}
