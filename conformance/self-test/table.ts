import type { ServerEngine } from '../../spec/index.js';
import type { Counts, Matrix } from './matrix.js';
import { endedConformant, foundOf, isRight, type Row } from './row.js';

const names: Readonly<Record<ServerEngine, string>> = { laws: 'laws', postman: 'Postman' };
const engines = Object.keys(names) as ServerEngine[];
const lastHeading = { reference: '', variant: 'warned of, by its nature', fault: 'violates', pair: 'violates' } as const;

/** The matrix as a table for a terminal: one line a specimen, then what is wrong, then the counts. */
export function matrixTable({ rows, counts }: Pick<Matrix, 'rows' | 'counts'>): string {
  const wide = Math.max(...rows.map((row) => row.id.length), 8) + 2;
  const sections = (['reference', 'variant', 'fault', 'pair'] as const).flatMap((kind) => {
    const members = rows.filter((row) => row.kind === kind);
    if (members.length === 0) return [];
    const head = [kind.padEnd(wide), 'verdict'.padEnd(9), ...engines.map((engine) => names[engine].padEnd(9)), lastHeading[kind]];
    return [[head.join('').trimEnd(), ...members.map((row) => line(row, wide))].join('\n')];
  });
  const wrong = rows.filter((row) => !isRight(row)).map(complaint);
  return `${[...sections, ...(wrong.length === 0 ? [] : [wrong.join('\n')]), summary(counts)].join('\n\n')}\n`;
}

function line(row: Row, wide: number): string {
  const by = engines.map((engine) => foundBy(row, engine).padEnd(9)).join('');
  return `${row.id.padEnd(wide)}${judgement(row).padEnd(9)}${by}${row.expected.join(', ')}`.trimEnd();
}

/** What is to be said of the row in one word. */
function judgement(row: Row): string {
  if (row.alarms.length > 0) return 'ALARM';
  if (row.missed.length > 0 && row.examination !== undefined) return 'MISSED';
  if (row.error !== undefined) return 'error';
  return row.kind === 'fault' || row.kind === 'pair' ? 'found' : 'pass';
}

/** How much of what is expected the engine found. */
function foundBy(row: Row, engine: ServerEngine): string {
  const { length } = foundOf(row, engine);
  if (length === 0) return '-';
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

function summary({ faults, variants, violations, foundBy: by, requests, missed, alarms, errors, pairs }: Counts): string {
  return [
    ...(faults === 0 ? [] : [`${faults} faults with ${violations} violations: laws find ${by.laws}, Postman finds ${by.postman}.`]),
    ...(pairs.drawn === 0
      ? []
      : [
          `${pairs.drawn} pairs: ${pairs.toldWhole} told whole, ${pairs.endedConformant} ended conformant, ${pairs.strangersBlamed} with a stranger blamed.`,
        ]),
    `${variants} conformant variants. ${requests} requests.`,
    `Missed: ${missed}. False alarms: ${alarms}. No verdict, or a wrong one: ${errors}.`,
  ].join('\n');
}
