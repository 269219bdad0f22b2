import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
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
  const rows: Row[] = new Array(jobs.length);
  let next = 0;
  const work = async () => {
    let worker = forkWorker();
    const stop = () => worker.kill();
    signal.addEventListener('abort', stop);
    for (let at = next++; at < jobs.length && !signal.aborted; at = next++) {
      const job = jobs[at] as Job;
      let row = await runJob(worker, job);
      if (row === undefined) {
        worker = forkWorker();
        row = unjudged(job.specimen, 'the process that judged it ended early');
      }
      rows[at] = row;
      done(row);
    }
    signal.removeEventListener('abort', stop);
    worker.kill();
  };
  await Promise.all(Array.from({ length: Math.min(workers, jobs.length) }, work));
  signal.throwIfAborted();
  return rows;
}

function forkWorker(): ChildProcess {
  return fork(workerFile, [], { execArgv: fromSource ? ['--import', import.meta.resolve('tsx')] : [] });
}

/** Gives undefined when the worker ended before the job was done. */
function runJob(worker: ChildProcess, job: Job): Promise<Row | undefined> {
  return new Promise((resolve) => {
    const settle = (row?: Row) => {
      worker.off('message', onMessage);
      worker.off('exit', onExit);
      resolve(row);
    };
    const onMessage = (row: unknown) => settle(row as Row);
    const onExit = () => settle();
    worker.on('message', onMessage);
    worker.on('exit', onExit);
    worker.send(job, (error) => {
      if (error !== null) settle();
    });
  });
}
