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

/** Starts a module, by its name in the build, as a process of its own: from its source where this one runs so; Node 20 needs a loader for that. */
export function forked(module: string, from: string, signal?: AbortSignal): ChildProcess {
  const isSource = from.endsWith('.ts');
  const file = fileURLToPath(new URL(isSource ? module.replace(/js$/, 'ts') : module, from));
  const execArgv = isSource ? ['--import', import.meta.resolve('tsx')] : [];
  // That it is stopped by the signal is told as an error, too.
  return fork(file, [], { execArgv, ...(signal && { signal }) }).on('error', () => {});
}

export const isAlive = ({ exitCode, signalCode, killed }: ChildProcess): boolean => exitCode === null && signalCode === null && !killed;
