import { type ServerEngine, spec } from '../../spec/index.js';
import { type Depth, type Examination, examine, type Specimen, summarise } from './examine.js';

/** What a row says of its specimen. */
type Judged = Pick<Specimen, 'kind' | 'id' | 'sentence' | 'expected' | 'hidden'>;

/** One specimen in the matrix: what was expected, what was found, and where they differ. */
export interface Row extends Judged {
  readonly examination?: Examination;
  /** Violations that were not found. */
  readonly missed: readonly string[];
  /** Accusations that are not true. */
  readonly alarms: readonly { readonly engines: readonly ServerEngine[]; readonly requirement: string }[];
  /** Why the specimen could not be judged, or a verdict that contradicts what was found. */
  readonly error?: string;
}

export async function examineRow(specimen: Specimen, depth: Depth): Promise<Row> {
  try {
    const report = await examine(specimen, depth);
    const passed = report.requirements.filter(({ outcome }) => outcome === 'pass').map(({ id }) => id);
    // The collection alone shows part of what the laws show: it is only held to accuse nobody wrongly.
    if (depth.engine === 'postman') return rowOf({ ...specimen, hidden: specimen.expected }, summarise(report), []);
    return rowOf(specimen, summarise(report), passed);
  } catch (error) {
    return unjudged(specimen, error instanceof Error ? error.message : String(error));
  }
}

/** The row of a specimen of which nothing is known. */
export function unjudged({ kind, id, sentence, expected, hidden }: Judged, error: string): Row {
  return { kind, id, sentence, expected, hidden, missed: expected, alarms: [], error };
}

/**
 * A row as it would be if one law always passed. What the answer monitor finds belongs to all laws of a requirement, since their requests
 * make it visible. It is silenced with each of them.
 */
export function withoutLaw(row: Row, law: { readonly id: string; readonly requirement: string }): Row {
  if (row.examination === undefined) return row;
  const silenced = [law.id, `${law.requirement}/oracle`];
  const found = Object.entries(row.examination.found).flatMap(([requirement, { laws = [], ...others }]) => {
    const left = laws.filter((check) => !silenced.includes(check));
    const by = left.length === 0 ? others : { ...others, laws: left };
    return Object.keys(by).length === 0 ? [] : [[requirement, by] as const];
  });
  return rowOf(row, { ...row.examination, found: Object.fromEntries(found) }, row.expected);
}

export function isRight(row: Row): boolean {
  return row.missed.length === 0 && row.alarms.length === 0 && row.error === undefined;
}

/** What the engine found of what was expected. */
export function foundOf({ expected, examination }: Row, engine: ServerEngine): string[] {
  return expected.filter((id) => examination?.found[id]?.[engine] !== undefined);
}

/** Whether the run ended conformant although the specimen violates a MUST that can be seen. */
export function endedConformant({ expected, hidden, examination }: Pick<Row, 'expected' | 'hidden' | 'examination'>): boolean {
  const seen = expected.filter((id) => !hidden.includes(id));
  return examination?.verdict === 'conformant' && seen.some((id) => spec.catalogue.requirement(id).level === 'MUST');
}

function rowOf(specimen: Judged, examination: Examination, passed: readonly string[]): Row {
  const { kind, id, sentence, expected, hidden } = specimen;
  const { found, verdict, error } = examination;
  const missed = expected.filter((each) => found[each] === undefined && (passed.includes(each) || !hidden.includes(each)));
  const alarms = Object.entries(found)
    .filter(([requirement]) => !expected.includes(requirement))
    .map(([requirement, by]) => ({ engines: Object.keys(by) as ServerEngine[], requirement }));
  const isClean = kind === 'reference' || kind === 'variant';
  const odd = (isClean && verdict !== 'conformant') || endedConformant({ expected, hidden, examination });
  const told = `${verdict}${error === undefined ? '' : ` (${error})`}`;
  return { kind, id, sentence, expected, hidden, examination, missed, alarms, ...(odd ? { error: told } : {}) };
}

const quick = { engine: 'laws', runs: 1 } as const;
/** Of a server that violates nothing, every so many rows are tried. */
const everyRow = 12;
const requestsOfClean = 400;

/**
 * Judges a specimen with the cases of its own rows. Some violations show only in the requests of other rows: what is not found is looked
 * for with the rows of its steps, then with all. Of a server that violates nothing some rows are tried, others with another seed.
 */
export async function examineQuickly(specimen: Specimen, { seed = 1, spec: given, recorded = false }: Depth): Promise<Row> {
  const depth = { ...quick, seed, recorded, ...(given === undefined ? {} : { spec: given }) };
  const { expected } = specimen;
  if (expected.length === 0) return examineRow(specimen, { ...depth, only: someRows(specimen, seed), budget: requestsOfClean });
  const steps = [...new Set(expected.map((id) => spec.catalogue.requirement(id).step))];
  for (const only of [expected, steps]) {
    const row = await examineRow(specimen, { ...depth, only });
    if (isRight(row)) return row;
  }
  return examineRow(specimen, depth);
}

function someRows({ id, auth }: Specimen, seed: number): string[] {
  const rows = spec.catalogue.requirements.filter((row) => row.engines.includes('laws') && (row.auth === 'any' || row.auth === auth));
  const first = [...id].reduce((sum, letter) => sum + letter.charCodeAt(0), seed);
  return rows.filter((_, index) => (index + first) % Math.min(everyRow, rows.length) === 0).map((row) => row.id);
}
