import type { ServerEngine } from '../../spec/index.js';
import { kitVersion } from '../version.js';
import { endedConformant, foundOf, isRight, type Row } from './row.js';

/** How all were judged: the seed, the random cases, which engines, and whether only with the cases of the rows that each specimen violates. */
type Kit = { readonly seed: number; readonly runs: number; readonly engine: 'all' | ServerEngine; readonly quick?: boolean };

/** The whole self-test, as it is written to a file. */
export type Matrix = Readonly<ReturnType<typeof matrixOf>>;

export function matrixOf(rows: readonly Row[], kit: Kit, startedAt: Date) {
  const durationMs = Date.now() - startedAt.getTime();
  const of = { name: 'hydrauth', version: kitVersion(), ...kit };
  return { kit: of, startedAt: startedAt.toISOString(), durationMs, counts: countsOf(rows), rows };
}

export function countsOf(rows: readonly Row[]) {
  const of = (kind: Row['kind']) => rows.filter((row) => row.kind === kind);
  const number = (among: readonly Row[], is: (row: Row) => boolean) => among.filter(is).length;
  const [faults, pairs] = [of('fault'), of('pair')];
  const foundBy = (engine: ServerEngine) => faults.flatMap((row) => foundOf(row, engine)).length;
  return {
    faults: faults.length,
    variants: of('variant').length,
    /** Pairs of a fault and a requirement that it violates. */
    violations: faults.flatMap((row) => row.expected).length,
    /** Rows in which a violation was not found. */
    missed: number(rows, (row) => row.missed.length > 0),
    /** Rows in which somebody is accused wrongly. */
    alarms: number(rows, (row) => row.alarms.length > 0),
    /** Rows that could not be judged, or ended with a wrong verdict. */
    errors: number(rows, (row) => row.error !== undefined),
    /** How many of the violations each engine found. */
    foundBy: { laws: foundBy('laws'), postman: foundBy('postman') },
    requests: rows.reduce((sum, { examination }) => sum + (examination?.requests ?? 0), 0),
    /** Of two faults, or a fault and a variant, in one server. */
    pairs: {
      drawn: pairs.length,
      /** All that both violate was found. */
      toldWhole: number(pairs, (row) => row.missed.length === 0),
      endedConformant: number(pairs, endedConformant),
      /** Pairs beside which a requirement was blamed that neither violates. */
      strangersBlamed: number(pairs, (row) => row.alarms.length > 0),
    },
  };
}

/** A row a line, so that two files can be compared. */
export function matrixJson({ rows, ...rest }: Matrix): string {
  return `${JSON.stringify(rest).slice(0, -1)},"rows":[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]}\n`;
}

const names: Readonly<Record<ServerEngine, string>> = { laws: 'laws', postman: 'Postman' };
const engines = Object.keys(names) as ServerEngine[];
const lastHeading = { reference: '', variant: 'warned of, by its nature', fault: 'violates', pair: 'violates' } as const;

/** The matrix as a table for a terminal: one line a specimen, then what is wrong, then the counts. */
export function matrixTable({ rows, counts }: Pick<Matrix, 'rows' | 'counts'>): string {
  const wide = Math.max(...rows.map((row) => row.id.length), 8) + 2;
  const line = (first: string, second: string, by: readonly string[], last: string) =>
    [first.padEnd(wide), ...[second, ...by].map((each) => each.padEnd(9)), last].join('').trimEnd();
  const sections = (['reference', 'variant', 'fault', 'pair'] as const).flatMap((kind) => {
    const members = rows.filter((row) => row.kind === kind);
    const lines = members.map((row) => {
      const by = engines.map((engine) => shareFound(row, engine) ?? '-');
      return line(row.id, judgement(row), by, row.expected.join(', '));
    });
    return members.length === 0 ? [] : [[line(kind, 'verdict', Object.values(names), lastHeading[kind]), ...lines].join('\n')];
  });
  const wrong = rows.filter((row) => !isRight(row)).map(complaint);
  return `${[...sections, ...(wrong.length === 0 ? [] : [wrong.join('\n')]), summary(counts)].join('\n\n')}\n`;
}

/** What is to be said of the row in one word. */
function judgement(row: Row): string {
  if (row.alarms.length > 0) return 'ALARM';
  if (row.missed.length > 0 && row.examination !== undefined) return 'MISSED';
  if (row.error !== undefined) return 'error';
  return row.kind === 'fault' || row.kind === 'pair' ? 'found' : 'pass';
}

/** How much of what is expected the engine found, if anything. */
export function shareFound(row: Row, engine: ServerEngine): string | undefined {
  const { length } = foundOf(row, engine);
  if (length === 0) return undefined;
  return length === row.expected.length ? 'all' : `${length} of ${row.expected.length}`;
}

export function complaint(row: Row): string {
  const said = [
    ...row.missed.map((requirement) => `misses ${requirement}`),
    ...row.alarms.map((alarm) => `accuses wrongly (${alarm.engines.map((engine) => names[engine]).join(', ')}): ${alarm.requirement}`),
    ...(row.error === undefined ? [] : [`${endedConformant(row) ? 'ended' : 'no verdict:'} ${row.error}`]),
  ];
  return `${row.kind} ${row.id}: ${said.join('; ')}`;
}

function summary({ faults, variants, violations, foundBy, requests, missed, alarms, errors, pairs }: Matrix['counts']): string {
  const { drawn, toldWhole, endedConformant: ended, strangersBlamed } = pairs;
  return [
    ...(faults === 0
      ? []
      : [`${faults} faults with ${violations} violations: laws find ${foundBy.laws}, Postman finds ${foundBy.postman}.`]),
    ...(drawn === 0
      ? []
      : [`${drawn} pairs: ${toldWhole} told whole, ${ended} ended conformant, ${strangersBlamed} with a stranger blamed.`]),
    `${variants} conformant variants. ${requests} requests.`,
    `Missed: ${missed}. False alarms: ${alarms}. No verdict, or a wrong one: ${errors}.`,
  ].join('\n');
}

/** What a run said of one specimen, as a golden file keeps it: what failed or was warned of, and what was not tried. */
type Golden = ReturnType<typeof goldenOf>;

function goldenOf({ id, examination }: Row, seed: number) {
  return { id, seed, failed: Object.keys(examination?.found ?? {}).sort(), untested: [...(examination?.untested ?? [])].sort() };
}

export function goldenText(rows: readonly Row[], seed: number): string {
  return rows.map((row) => `${JSON.stringify(goldenOf(row, seed))}\n`).join('');
}

/** What a golden file holds, by specimen; a line that is none throws. */
export function parseGolden(text: string): ReadonlyMap<string, Golden> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const all = lines.map((line): Golden => {
    const { id, seed, failed, untested } = JSON.parse(line);
    if (typeof id !== 'string' || typeof seed !== 'number' || !Array.isArray(failed) || !Array.isArray(untested))
      throw new Error(line.slice(0, 80));
    return { id, seed, failed, untested };
  });
  return new Map(all.map((golden) => [golden.id, golden]));
}

/** What is different from a golden file, one sentence each. Specimens that were not judged now are left alone. */
export function goldenDifferences(before: ReadonlyMap<string, Golden>, rows: readonly Row[], seed: number): string[] {
  return rows.flatMap((row) => {
    const [was, is] = [before.get(row.id), goldenOf(row, seed)];
    if (was === undefined) return [`${row.id}: not in the golden file`];
    if (was.seed !== seed) return [`${row.id}: the golden file has seed ${was.seed}, this run seed ${seed}`];
    return (['failed', 'untested'] as const).flatMap((member) => {
      const more = is[member].filter((id) => !was[member].includes(id)).map((id) => `now ${member}: ${id}`);
      const less = was[member].filter((id) => !is[member].includes(id)).map((id) => `no longer ${member}: ${id}`);
      return [...more, ...less].map((difference) => `${row.id}: ${difference}`);
    });
  });
}
