import type { NewmanRunOptions } from 'newman';
import { answerOf, requestPlan, wireProblem } from './convert.js';
import type { News, Order } from './messages.js';
import { boundUnpacking } from './unpacking.js';
import { Watch } from './watch.js';

/** The process in which Newman runs: one order in, news out, and the end. */
process.once('message', (order: Order) => {
  run(order).then(
    (problem) => tell({ kind: 'done', ...(problem === undefined ? {} : { problem }) }, () => process.exit(0)),
    (error: Error) => tell({ kind: 'done', problem: error.message }, () => process.exit(1)),
  );
});
process.once('disconnect', () => process.exit(1));

function tell(news: News, then?: () => void): void {
  process.send?.(news, undefined, undefined, then);
}

async function run(order: Order): Promise<string | undefined> {
  // Before Newman is loaded, which may keep what it finds.
  boundUnpacking(order.maxAnswerBytes);
  const { default: newman } = await import('newman');
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
