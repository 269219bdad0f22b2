import type { ChildProcess } from 'node:child_process';
import { forked, inParallel } from '../../parallel.js';
import { type Depth, type Row, type Specimen, unjudged } from '../../self-test/index.js';

/** What a worker is asked to do: to judge one specimen. */
export interface Job {
  readonly specimen: Omit<Specimen, 'start'>;
  readonly depth: Depth;
  readonly quick: boolean;
  /** The file of the profile; the package's own where it is missing. */
  readonly spec: string | undefined;
}

/** Does the jobs in so many processes. A process does one job after another, and holds both the server and its judge. */
export async function runJobs(jobs: readonly Job[], workers: number, signal: AbortSignal, done: (row: Row) => void): Promise<Row[]> {
  const idle: ChildProcess[] = [];
  const judge = async (job: Job) => {
    const worker = idle.pop() ?? forked('./worker.js', import.meta.url, signal);
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
