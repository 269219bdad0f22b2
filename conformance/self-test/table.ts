import type { Engine } from '../../spec/index.js';
import type { Counts, Matrix } from './matrix.js';
import { isRight, type Row } from './row.js';

const engines: readonly Engine[] = ['laws', 'postman'];
const heading = { laws: 'laws', postman: 'Postman' } as const;

/** The matrix as a table for a terminal: one line a specimen, then what is wrong, then the counts. */
export function matrixTable({ rows, counts }: Pick<Matrix, 'rows' | 'counts'>): string {
  const wide = Math.max(...rows.map((row) => row.id.length), 8) + 2;
  const sections = (['reference', 'variant', 'fault'] as const).flatMap((kind) => {
    const members = rows.filter((row) => row.kind === kind);
    return members.length === 0 ? [] : [[head(kind, wide), ...members.map((row) => line(row, wide))].join('\n')];
  });
  const wrong = rows.filter((row) => !isRight(row)).map(complaint);
  return `${[...sections, ...(wrong.length === 0 ? [] : [wrong.join('\n')]), summary(counts)].join('\n\n')}\n`;
}

function head(kind: string, wide: number): string {
  const last = kind === 'fault' ? 'violates' : kind === 'variant' ? 'warned of, by its nature' : '';
  return `${kind.padEnd(wide)}${engines.map((engine) => heading[engine].padEnd(9)).join('')}${last}`.trimEnd();
}

function line(row: Row, wide: number): string {
  const cells = engines.map((engine) => cell(row, engine).padEnd(9)).join('');
  return `${row.id.padEnd(wide)}${cells}${row.expected.join(', ')}`.trimEnd();
}

/** How much of what is expected the engine found alone; a variant and the reference are to be left in peace. */
function cell(row: Row, engine: Engine): string {
  const examination = row.engines[engine];
  if (examination === undefined) return row.error === undefined ? '-' : 'error';
  if (row.alarms.some((alarm) => alarm.engine === engine)) return 'ALARM';
  const found = row.expected.filter((requirement) => examination.found[requirement] !== undefined).length;
  if (row.kind !== 'fault') return examination.verdict === 'conformant' ? 'pass' : 'error';
  if (found === row.expected.length) return 'found';
  if (engine === 'laws') return 'MISSED';
  return found === 0 ? '-' : `${found} of ${row.expected.length}`;
}

export function complaint(row: Row): string {
  const said = [
    ...row.missed.map((requirement) => `misses ${requirement}`),
    ...row.alarms.map(({ engine, requirement }) => `accuses wrongly (${heading[engine]}): ${requirement}`),
    ...(row.error === undefined ? [] : [`no verdict: ${row.error}`]),
  ];
  return `${row.kind} ${row.id}: ${said.join('; ')}`;
}

export function summary(counts: Counts): string {
  const by = engines.flatMap((engine) => {
    const found = counts.foundBy[engine];
    return found === undefined ? [] : [`${heading[engine]} alone ${engine === 'laws' ? 'find' : 'finds'} ${found}`];
  });
  return [
    `${counts.faults} faults with ${counts.violations} violations${by.length > 0 ? `: ${by.join(', ')}` : ''}.`,
    `${counts.variants} conformant variants. ${counts.requests} requests.`,
    `Missed: ${counts.missed}. False alarms: ${counts.alarms}. Not judged: ${counts.errors}.`,
  ].join('\n');
}
