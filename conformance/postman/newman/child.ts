import type { NewmanRunOptions } from 'newman';
import { answerOf, requestPlan, wireProblem } from './convert.js';
import type { NewmanEvent, NewmanGo, NewmanJob } from './messages.js';
import { quickenTimers } from './quick-timers.js';
import { boundUnpacking } from './unpacking.js';
import { Watch } from './watch.js';

// Newman may keep the functions of zlib that it finds when it is loaded, so that they are replaced before.
boundUnpacking(Number(process.argv[2]));
quickenTimers();
/** Begun before a job arrives, because loading takes half a second. */
const loading = import('newman').then(({ default: newman }) => newman);

/** The process in which Newman runs: it takes one job after another and sends the events of each, `done` last. */
process.on('message', (message: NewmanJob | NewmanGo) => {
  if ('go' in message) return go(message.go.apartMs);
  const allowed = new Promise<number>((resolve) => {
    go = resolve;
  });
  run(message, allowed).then(
    (problem) => tell({ kind: 'done', ...(problem === undefined ? {} : { problem }) }),
    (error: Error) => tell({ kind: 'done', problem: error.message }),
  );
});
process.once('disconnect', () => process.exit(1));

/** Lets the job send its first request. */
let go = (_apartMs: number) => {};

function tell(event: NewmanEvent): void {
  process.send?.(event);
}

function epochMs(): number {
  return performance.timeOrigin + performance.now();
}

async function run(job: NewmanJob, allowed: Promise<number>): Promise<string | undefined> {
  const newman = await loading;
  const watch = new Watch(job, allowed);
  let sentAtEpochMs = 0;
  allowed.then(() => {
    sentAtEpochMs = epochMs();
  });
  return new Promise((resolve, reject) => {
    const values = Object.entries(job.variables).map(([key, value]) => ({ key, value, enabled: true }));
    const options = {
      collection: job.collection,
      environment: { values },
      reporters: [],
      ignoreRedirects: true,
      insecure: job.insecure,
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
        sentAtEpochMs = epochMs();
        watch.begin(!job.toClock.includes(item.id));
      })
      .on('request', (error, { item, request, response }) => {
        const problem = watch.end() ?? (error ? wireProblem(error) : undefined);
        tell({
          kind: 'exchange',
          id: item.id,
          request: requestPlan(request),
          ...(response?.code ? { answer: answerOf(response) } : {}),
          ...(problem === undefined ? {} : { problem }),
          sentAtEpochMs,
          durationMs: epochMs() - sentAtEpochMs,
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
