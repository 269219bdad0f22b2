import type { NewmanRunOptions } from 'newman';
import { answerOf, requestPlan, wireProblem } from './convert.js';
import type { News, Order } from './messages.js';
import { boundUnpacking } from './unpacking.js';
import { Watch } from './watch.js';

// Before Newman is loaded, which may keep what it finds.
boundUnpacking(Number(process.argv[2]));
/** Loaded while the order is still on its way. */
const loading = import('newman');

/** The process in which Newman runs: one order after another, each with its news and its end. */
process.on('message', (order: Order) => {
  run(order).then(
    (problem) => tell({ kind: 'done', ...(problem === undefined ? {} : { problem }) }),
    (error: Error) => tell({ kind: 'done', problem: error.message }),
  );
});
process.once('disconnect', () => process.exit(1));

function tell(news: News): void {
  process.send?.(news);
}

async function run(order: Order): Promise<string | undefined> {
  const { default: newman } = await loading;
  const watch = new Watch(order);
  let sentAtMs = 0;
  return new Promise((resolve, reject) => {
    const values = Object.entries(order.variables).map(([key, value]) => ({ key, value, enabled: true }));
    const options = {
      collection: order.collection,
      environment: { values },
      reporters: [],
      ignoreRedirects: true,
      insecure: order.insecure,
      requestAgents: watch.agents,
      timeoutScript: 30_000,
    };
    newman
      .run(options as unknown as NewmanRunOptions, (error) => {
        watch.close();
        if (error) reject(error);
        else resolve(undefined);
      })
      .on('beforeItem', (_error, { item }) => tell({ kind: 'began', id: item.id }))
      .on('beforeRequest', (_error, { item }) => {
        sentAtMs = performance.now();
        watch.begin(!order.toClock.includes(item.id));
      })
      .on('request', (error, { item, request, response }) => {
        const problem = watch.end() ?? (error ? wireProblem(error) : undefined);
        tell({
          kind: 'exchange',
          id: item.id,
          request: requestPlan(request),
          ...(response?.code ? { answer: answerOf(response) } : {}),
          ...(problem === undefined ? {} : { problem }),
          durationMs: performance.now() - sentAtMs,
        });
      })
      .on('assertion', (error, { item, assertion, skipped }) => {
        tell({ kind: 'test', id: item.id, name: assertion, skipped: skipped === true, ...(error ? { error: String(error.message) } : {}) });
      })
      .on('script', (error, { item }) => {
        if (error) tell({ kind: 'broke', id: item.id, message: String(error.message) });
      });
  });
}
