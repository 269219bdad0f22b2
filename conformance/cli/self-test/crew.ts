import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Engine } from '../../../spec/index.js';
import type { Row } from '../../self-test/index.js';

/** What a worker is asked to do. */
export interface Order {
  readonly id: string;
  readonly engines: readonly Engine[];
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
    const worker = fork(workerFile, [], { execArgv: fromSource ? ['--import', import.meta.resolve('tsx')] : [] });
    const stop = () => worker.kill();
    signal.addEventListener('abort', stop);
    try {
      for (let at = next++; at < orders.length && !signal.aborted; at = next++) {
        const row = await carryOut(worker, orders[at] as Order);
        rows[at] = row;
        done(row);
      }
    } finally {
      signal.removeEventListener('abort', stop);
      worker.kill();
    }
  };
  await Promise.all(Array.from({ length: Math.min(size, orders.length) }, work));
  return rows;
}

async function carryOut(worker: ChildProcess, order: Order): Promise<Row> {
  worker.send(order);
  const ended = once(worker, 'exit').then(([code, by]) => {
    throw new Error(`the process that judged ${order.id} ended (${by ?? `code ${code}`})`);
  });
  const [row] = (await Promise.race([once(worker, 'message'), ended])) as [Row];
  return row;
}
