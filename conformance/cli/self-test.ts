import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Engine } from '../../spec/index.js';
import { defaults } from '../run/index.js';
import { allRight, countsOf, type Matrix, matrixTable, type Specimen } from '../self-test/index.js';
import { kitVersion } from '../version.js';
import { CallError, type Run } from './command.js';
import type { Io } from './io.js';
import { progressLine } from './progress.js';
import { type Order, withCrew } from './self-test/crew.js';
import { specimens } from './self-test/specimens.js';

export const run: Run = async (args, io) => {
  const startedAt = new Date();
  const depth = { runs: args.number('runs') ?? defaults.runs, seed: args.number('seed') ?? 1 };
  const chosen = choose(args.texts('only'));
  if (args.flag('list')) return list(chosen, io);
  const measure = enginesOf(args.text('engine') ?? 'all');
  const orders = chosen.map(({ kind, id, sentence, expected }): Order => ({ kind, id, sentence, expected, measure, depth }));
  const progress = progressLine(io);
  let done = 0;
  const rows = await withCrew(orders, args.number('workers') ?? availableParallelism(), io.signal, (row) => {
    done += 1;
    progress.show({ done, total: orders.length, what: row.id });
  }).finally(progress.clear);
  const matrix: Matrix = {
    kit: { name: 'hydrauth', version: kitVersion(), ...depth },
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    counts: countsOf(rows),
    rows,
  };
  io.out(matrixTable(matrix));
  const file = args.text('json');
  if (file !== undefined) writeFileSync(resolve(io.cwd, file), `${JSON.stringify(matrix, undefined, 1)}\n`);
  return allRight(matrix) ? 0 : 1;
};

function choose(only: readonly string[]): Specimen[] {
  try {
    return specimens(only);
  } catch (error) {
    throw new CallError((error as Error).message);
  }
}

function list(chosen: readonly Specimen[], io: Pick<Io, 'out'>): number {
  const width = Math.max(...chosen.map(({ id }) => id.length));
  io.out(chosen.map(({ kind, id, sentence }) => `${kind.padEnd(9)}  ${id.padEnd(width)}  ${sentence}\n`).join(''));
  return 0;
}

function enginesOf(engine: string): readonly Engine[] {
  return engine === 'all' ? ['laws', 'postman'] : [engine as Engine];
}
