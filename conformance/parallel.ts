import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Does the work for every item, so many at a time, until it is over. Gives the results in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
  isOver: () => boolean = () => false,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < items.length && !isOver(); at = next++) results[at] = await work(items[at] as T);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  // Without the places of items that were not begun.
  return results.filter(() => true);
}

/** A promise, and what settles it from outside. */
export function deferred<T = void>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

type Told<Job> = { readonly job: Job } | { readonly abort: string | null };
type Said<Result, Note> = { readonly note: Note } | { readonly result: Result };

/** When to end a job, and who hears what is going on in it. */
interface Following<Note> {
  readonly signal: AbortSignal;
  readonly onProgress: (note: Note) => void;
}

/** Processes of a module, by its name in the build, that calls `doJobs`. Each does one job after another; one more is started where all are busy. */
export function processesOf<Job, Result, Note = never>(module: string, from: string) {
  const idle = new Set<ChildProcess>();
  return {
    /** Gives undefined where the process ended before the job was done. */
    async ask(job: Job, { signal, onProgress }: Following<Note>): Promise<Result | undefined> {
      // One may have been killed while it had nothing to do.
      const child = [...idle].find(isAlive) ?? forked(module, from);
      idle.delete(child);
      const tell = (what: Told<Job>) => child.send(what, () => {});
      const abort = () => tell({ abort: typeof signal.reason === 'string' ? signal.reason : null });
      signal.addEventListener('abort', abort);
      const result = await new Promise<Result | undefined>((resolve) => {
        const hear = (said: Said<Result, Note>) => ('note' in said ? onProgress(said.note) : end(said.result));
        const end = (came?: Result) => {
          child.off('exit', left).off('error', left).off('message', hear);
          resolve(came);
        };
        const left = () => end();
        child.on('exit', left).on('error', left).on('message', hear);
        tell({ job });
      });
      signal.removeEventListener('abort', abort);
      if (result !== undefined) idle.add(child);
      return result;
    },
    end: () => idle.forEach((each) => void each.disconnect()),
  };
}

/** Does in this process what it is asked for by the one that started it. */
export function doJobs<Job, Result, Note = never>(work: (job: Job, following: Following<Note>) => Promise<Result>): void {
  let interruption = new AbortController();
  /** Nobody hears it where whoever started this one is gone. */
  const tell = (what: Said<Result, Note>) => process.send?.(what, () => {});
  process.on('message', (told: Told<Job>) => {
    if ('abort' in told) return interruption.abort(told.abort ?? undefined);
    interruption = new AbortController();
    const following = { signal: interruption.signal, onProgress: (note: Note) => void tell({ note }) };
    void work(told.job, following).then((result) => tell({ result }));
  });
  process.on('disconnect', () => process.exit());
  // A terminal interrupts all processes of a call; whoever started this one says what is to be done.
  for (const by of ['SIGINT', 'SIGTERM'] as const) process.on(by, () => {});
}

/** From its source where this one runs so; Node 20 needs a loader for that. */
function forked(module: string, from: string): ChildProcess {
  const isSource = from.endsWith('.ts');
  const file = fileURLToPath(new URL(isSource ? module.replace(/js$/, 'ts') : module, from));
  return fork(file, [], { execArgv: isSource ? ['--import', import.meta.resolve('tsx')] : [] }).on('error', () => {});
}

const isAlive = ({ exitCode, signalCode, killed }: ChildProcess): boolean => exitCode === null && signalCode === null && !killed;
