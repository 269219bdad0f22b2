import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Matrix, Specimen } from '../../self-test/index.js';
import { kitVersion } from '../../version.js';
import { CallError, command } from '../command.js';
import { forPeople, tryToWrite, writeFileOf } from '../files.js';
import { givenSpec, specFile } from '../given.js';
import type { Io } from '../io.js';
import { progressLine } from '../progress.js';

export const selfTest = command({
  name: 'self-test',
  summary: 'Test the judge itself: run it against every fault and every variant.',
  text: 'Each fault must fail exactly the requirements it names, each variant none. Both engines judge together, as users run them.',
  examples: [
    ['hydrauth self-test --json matrix.json', 'Print the matrix and keep it.'],
    ['hydrauth self-test --quick', 'Every fault and variant in a few minutes.'],
    ['hydrauth self-test --only sliding nonce-reusable', 'Try one fault and one variant.'],
    ['hydrauth self-test --pairs 20 --seed 7', 'Try servers with two faults, or a fault and a variant.'],
  ],
  exitCodes: {
    0: 'Every fault is caught and no variant is flagged.',
    1: 'A fault is missed or fails something else, or a variant is flagged, or a pair is not reported completely, or --golden differs.',
    3: 'The self-test could not run.',
    130: 'Interrupted.',
  },
  async run(args, io) {
    tryToWrite(args, io, ['json', 'write-golden']);
    const startedAt = new Date();
    const { allRight, countsOf, goldenDifferences, goldenText, matrixJson, matrixTable } = await import('../../self-test/index.js');
    const { runJobs } = await import('../self-test/worker-pool.js');
    const { specimens } = await import('../self-test/specimens.js');
    const golden = goldenFile(args.text('golden'), io);
    const quick = args.flag('quick');
    const engine = quick ? 'laws' : (args.text('engine') as 'all' | 'laws' | 'postman');
    const depth = { engine, runs: args.number('runs') as number, seed: args.number('seed') as number };
    const recorded = args.flag('recorded');
    const only = args.texts('only');
    const spec = await givenSpec(args, io);
    const single = specimens(only, spec);
    const pairs = args.number('pairs');
    const chosen = pairs === undefined ? single : (await import('../self-test/pairs.js')).drawPairs(pairs, depth.seed, only, spec);
    if (args.flag('list')) return list(chosen, io);
    const jobs = chosen
      .filter(({ auth }) => auth === 'on' || engine !== 'postman')
      .map((specimen) => ({ specimen, depth: { ...depth, recorded }, quick, spec: specFile(args, io) }));
    const progress = progressLine(io, `starting ${jobs.length}`);
    let done = 0;
    const rows = await runJobs(jobs, args.number('workers') ?? availableParallelism(), io.signal, (row) => {
      done += 1;
      progress.show({ done, total: jobs.length, what: row.id });
    }).finally(progress.clear);
    const matrix: Matrix = {
      kit: { name: 'hydrauth', version: kitVersion(), ...depth, ...(quick ? { quick } : {}) },
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      counts: countsOf(rows),
      rows,
    };
    const { out } = forPeople(args, io, ['json', 'write-golden']);
    out(matrixTable(matrix));
    await writeFileOf('json', matrixJson(matrix), args, io);
    await writeFileOf('write-golden', goldenText(rows, depth.seed), args, io);
    const differences = golden === undefined ? [] : goldenDifferences(golden, rows, depth.seed);
    out(differences.map((each) => `Golden: ${each}\n`).join(''));
    return allRight(matrix) && differences.length === 0 ? 0 : 1;
  },
});

/** The text of the golden file, which is read before anything takes long. */
function goldenFile(file: string | undefined, { cwd }: Pick<Io, 'cwd'>): string | undefined {
  const expected = 'lines of {"id", "seed", "failed", "untested"} are expected, as --write-golden writes them';
  if (file === undefined) return undefined;
  try {
    const text = readFileSync(resolve(cwd, file), 'utf8');
    for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
      const { id, seed, failed, untested } = JSON.parse(line);
      if (typeof id !== 'string' || typeof seed !== 'number' || !Array.isArray(failed) || !Array.isArray(untested))
        throw new Error(line.slice(0, 80));
    }
    return text;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CallError(`--golden ${file} cannot be read (${code ?? message}); ${expected}`);
  }
}

function list(chosen: readonly Specimen[], io: Pick<Io, 'out'>): number {
  const width = Math.max(...chosen.map(({ id }) => id.length));
  io.out(chosen.map(({ kind, id, sentence }) => `${kind.padEnd(9)}  ${id.padEnd(width)}  ${sentence}\n`).join(''));
  return 0;
}
