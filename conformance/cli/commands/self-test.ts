import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Matrix, Specimen } from '../../self-test/index.js';
import { kitVersion } from '../../version.js';
import { command } from '../command.js';
import { tryToWrite } from '../files.js';
import { givenSpec, specFile } from '../given.js';
import type { Io } from '../io.js';

export const selfTest = command({
  name: 'self-test',
  summary: 'Judge the judge: every fault and every variant against the suite.',
  text: 'Each fault must fail exactly the requirements it names, each variant none. Both engines judge together, as users run them.',
  examples: [
    ['hydrauth self-test --json matrix.json', 'Print the matrix and keep it.'],
    ['hydrauth self-test --only sliding nonce-reusable', 'Try one fault and one variant.'],
    ['hydrauth self-test --pairs 20 --seed 7', 'Try servers with two faults, or a fault and a variant.'],
  ],
  exitCodes: {
    0: 'Every fault is caught and no variant is flagged.',
    1: 'A fault is missed or fails something else, or a variant is flagged, or a pair is not told whole.',
    3: 'It could not be carried out.',
    130: 'Interrupted.',
  },
  async run(args, io) {
    tryToWrite(args, io, ['json']);
    const startedAt = new Date();
    const [{ allRight, countsOf, matrixJson, matrixTable }, { runJobs }, { specimens }, { progressLine }] = await Promise.all([
      import('../../self-test/index.js'),
      import('../self-test/worker-pool.js'),
      import('../self-test/specimens.js'),
      import('../progress.js'),
    ]);
    const engine = args.text('engine') as 'all' | 'laws' | 'postman';
    const depth = { engine, runs: args.number('runs') as number, seed: args.number('seed') as number };
    const only = args.texts('only');
    const spec = await givenSpec(args, io);
    const single = specimens(only, spec);
    const pairs = args.number('pairs');
    const chosen = pairs === undefined ? single : (await import('../self-test/pairs.js')).drawPairs(pairs, depth.seed, only, spec);
    if (args.flag('list')) return list(chosen, io);
    const jobs = chosen
      .filter(({ auth }) => auth === 'on' || engine !== 'postman')
      .map((specimen) => ({ specimen, depth, spec: specFile(args, io) }));
    const progress = progressLine(io);
    let done = 0;
    const rows = await runJobs(jobs, args.number('workers') ?? availableParallelism(), io.signal, (row) => {
      done += 1;
      progress.show({ done, total: jobs.length, what: row.id });
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
    if (file !== undefined) writeFileSync(resolve(io.cwd, file), matrixJson(matrix));
    return allRight(matrix) ? 0 : 1;
  },
});

function list(chosen: readonly Specimen[], io: Pick<Io, 'out'>): number {
  const width = Math.max(...chosen.map(({ id }) => id.length));
  io.out(chosen.map(({ kind, id, sentence }) => `${kind.padEnd(9)}  ${id.padEnd(width)}  ${sentence}\n`).join(''));
  return 0;
}
