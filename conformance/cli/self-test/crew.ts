import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Engine } from '../../../spec/index.js';
import type { Row, Specimen } from '../../self-test/index.js';

/** What a worker is asked to do. */
export interface Order extends Pick<Specimen, 'kind' | 'id' | 'sentence' | 'expected'> {
  readonly measure: readonly Engine[];
  readonly depth: { readonly runs?: number; readonly seed: number };
}

/** The sources run as they are in development; Node 20 needs a loader for them. */
const fromSource = import.meta.url.endsWith('.ts');
const workerFile = fileURLToPath(new URL(fromSource ? './worker.ts' : './worker.js', import.meta.url));

/** Carries out the orders in several processes, each of which does one after another. A server and its judge share a core. */
export async function withCrew(orders: readonly Order[], size: number, signal: AbortSignal, done: (row: Row) => void): Promise<Row[]> {
  const rows: Row[] = new Array(orders.length);
  let next = 0;
  const work = async () => {
    let worker = hire();
    const stop = () => worker.kill();
    signal.addEventListener('abort', stop);
    for (let at = next++; at < orders.length && !signal.aborted; at = next++) {
      const order = orders[at] as Order;
      const row = await carryOut(worker, order);
      if (row === undefined) worker = hire();
      const told = row ?? unfinished(order);
      rows[at] = told;
      done(told);
    }
    signal.removeEventListener('abort', stop);
    worker.kill();
  };
  await Promise.all(Array.from({ length: Math.min(size, orders.length) }, work));
  signal.throwIfAborted();
  return rows;
}

function unfinished({ kind, id, sentence, expected }: Order): Row {
  return { kind, id, sentence, expected, engines: {}, missed: expected, alarms: [], error: 'the process that judged it ended early' };
}

function hire(): ChildProcess {
  return fork(workerFile, [], { execArgv: fromSource ? ['--import', import.meta.resolve('tsx')] : [] });
}

/** Undefined when the process ended before it was done. */
function carryOut(worker: ChildProcess, order: Order): Promise<Row | undefined> {
  return new Promise((resolve) => {
    const settle = (row?: Row) => {
      worker.off('message', heard);
      worker.off('exit', ended);
      resolve(row);
    };
    const heard = (row: unknown) => settle(row as Row);
    const ended = () => settle();
    worker.on('message', heard);
    worker.on('exit', ended);
    worker.send(order, (error) => {
      if (error !== null) settle();
    });
  });
}
