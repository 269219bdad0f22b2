import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { inParallel, processesOf } from '../../parallel.js';
import * as tests from '../../self-test/index.js';
import { type Args, CallError } from '../command.js';
import { givenSpec, specFile } from '../given.js';
import type { Io } from '../io.js';
import { progressLine } from '../progress.js';
import { forPeople, tryToWrite, writeFileOf } from '../reporting.js';
import { drawPairs, specimens } from '../self-test/specimens.js';
import type { Job } from '../self-test/worker.js';

const written = ['json', 'write-golden'];

export async function selfTest(args: Args, io: Io): Promise<number> {
  tryToWrite(args, io, written);
  const startedAt = new Date();
  const golden = goldenFile(args.text('golden'), io);
  const quick = args.flag('quick');
  const engine = quick ? 'laws' : (args.text('engine') as 'all' | 'laws' | 'postman');
  const depth = { engine, runs: args.number('runs') as number, seed: args.number('seed') as number };
  const only = args.texts('only');
  const spec = givenSpec(args, io);
  const single = specimens(only, spec);
  const pairs = args.number('pairs');
  const chosen = pairs === undefined ? single : drawPairs(pairs, depth.seed, only, spec);
  if (args.flag('list')) {
    const width = Math.max(...chosen.map(({ id }) => id.length));
    io.out(chosen.map(({ kind, id, sentence }) => `${kind.padEnd(9)}  ${id.padEnd(width)}  ${sentence}\n`).join(''));
    return 0;
  }
  const jobs = chosen
    .filter(({ auth }) => auth === 'on' || engine !== 'postman')
    .map((specimen) => ({ specimen, depth: { ...depth, recorded: args.flag('recorded') }, quick, spec: specFile(args, io) }));
  const progress = progressLine(io, `starting ${jobs.length}`);
  let done = 0;
  const workers = processesOf<Job, tests.Row>('../self-test/worker.js', import.meta.url);
  const judge = async (job: Job) => {
    const asked = await workers.ask(job, { signal: io.signal, onProgress: () => {} });
    done += 1;
    progress.show({ done, total: jobs.length, what: job.specimen.id });
    return asked ?? tests.unjudged(job.specimen, 'the process that judged it ended early');
  };
  const rows = await inParallel(jobs, args.number('workers') ?? availableParallelism(), judge, () => io.signal.aborted);
  workers.end();
  progress.clear();
  io.signal.throwIfAborted();
  const matrix = tests.matrixOf(rows, { ...depth, ...(quick ? { quick } : {}) }, startedAt);
  const { out } = forPeople(args, io, written);
  out(tests.matrixTable(matrix));
  writeFileOf('json', tests.matrixJson(matrix), args, io);
  writeFileOf('write-golden', tests.goldenText(rows, depth.seed), args, io);
  const differences = golden === undefined ? [] : tests.goldenDifferences(golden, rows, depth.seed);
  out(differences.map((each) => `Golden: ${each}\n`).join(''));
  return rows.every(tests.isRight) && differences.length === 0 ? 0 : 1;
}

/** The golden file, which is read before anything takes long. */
function goldenFile(file: string | undefined, { cwd }: Io): ReturnType<typeof tests.parseGolden> | undefined {
  const expected = 'lines of {"id", "seed", "failed", "untested"} are expected, as --write-golden writes them';
  if (file === undefined) return undefined;
  try {
    return tests.parseGolden(readFileSync(resolve(cwd, file), 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CallError(`--golden ${file} cannot be read (${code ?? message}); ${expected}`);
  }
}
