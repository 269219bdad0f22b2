import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inParallel } from '../../parallel.js';
import { type Depth, type Row, type Specimen, unjudged } from '../../self-test/index.js';

/** What a worker is asked to do: to judge one specimen. */
export interface Job {
  readonly specimen: Omit<Specimen, 'start'>;
  readonly depth: Depth;
  readonly quick: boolean;
  /** The file of the profile; the package's own where it is missing. */
  readonly spec: string | undefined;
}

/** Node 20 needs a loader to run the sources as they are. */
const fromSource = import.meta.url.endsWith('.ts');
const workerFile = fileURLToPath(new URL(fromSource ? './worker.ts' : './worker.js', import.meta.url));

/** Does the jobs in so many processes. A process does one job after another, and holds both the server and its judge. */
export async function runJobs(jobs: readonly Job[], workers: number, signal: AbortSignal, done: (row: Row) => void): Promise<Row[]> {
  const idle: ChildProcess[] = [];
  const judge = async (job: Job) => {
    const worker = idle.pop() ?? forkWorker(signal);
    const row = await runJob(worker, job);
    if (row !== undefined) idle.push(worker);
    const said = row ?? unjudged(job.specimen, 'the process that judged it ended early');
    done(said);
    return said;
  };
  const rows = await inParallel(jobs, workers, judge, () => signal.aborted);
  for (const worker of idle) worker.kill();
  signal.throwIfAborted();
  return rows;
}

function forkWorker(signal: AbortSignal): ChildProcess {
  const worker = fork(workerFile, [], { execArgv: fromSource ? ['--import', import.meta.resolve('tsx')] : [], signal });
  // That it is stopped by the signal is told as an error, too.
  return worker.on('error', () => {});
}

/** Gives undefined when the worker ended before the job was done. */
function runJob(worker: ChildProcess, job: Job): Promise<Row | undefined> {
  return new Promise((resolve) => {
    const end = () => resolve(undefined);
    worker.once('exit', end).once('message', (row) => {
      worker.off('exit', end);
      resolve(row as Row);
    });
    worker.send(job, (error) => error !== null && end());
  });
}
