import { subscribe } from 'node:diagnostics_channel';
import { type ClientRequest, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { NewmanRunExecution, NewmanRunOptions } from 'newman';
import { type Answer, fromTarget, type HeaderLine, type RequestPlan, type WireProblem, type WireProblemCode } from '../../wire/index.js';
import type { CheckResult } from '../sandbox/pm.js';
import { type NewmanEvent, type NewmanJob, steadyMs } from './index.js';

/** A body this large, also after it was unpacked, is no answer of the three steps; reading on would only cost memory. */
const maxResponseSize = 5 * 1024 * 1024;

quickenTimers();
// Nobody in Newman listens for a 101, and the request would never end.
subscribe('http.client.request.start', (message) => {
  const { request } = message as { request: ClientRequest };
  request.on('upgrade', (_answer, socket) => {
    socket.destroy();
    request.emit('error', new Error('the target switched to another protocol with status 101'));
  });
});
/** Begun before a job arrives, because loading takes half a second. */
const loading = import('newman').then(({ default: newman }) => newman);
// A module that is missing is told with the first job.
loading.catch(() => {});

/** The process in which Newman runs: it takes one job after another and sends the events of each, `done` last. */
process.on('message', (job: NewmanJob) => {
  run(job).then(
    () => tell({ kind: 'done' }),
    (error: Error) => tell({ kind: 'done', problem: error.message }),
  );
});
process.once('disconnect', () => process.exit(1));

/**
 * Newman passes from one small step to the next with `setTimeout(…, 0)`, which waits for a millisecond, some seven times a request. An
 * immediate does the same without the wait, and Newman never clears these: a run of the collection takes 1.4 s instead of 2.5 s.
 */
function quickenTimers(): void {
  const { setTimeout: wait } = globalThis;
  const quick = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
    ms === 0 ? setImmediate(callback, ...args) : wait(callback, ms, ...args);
  globalThis.setTimeout = Object.assign(quick, wait) as unknown as typeof setTimeout;
}

const tell = (event: NewmanEvent) => process.send?.(event, () => {});

async function run({ collection, variables, timeoutMs, toClock, apartMs, ca, insecure, keepAlive }: NewmanJob): Promise<void> {
  const newman = await loading;
  const requestAgents = {
    http: new HttpAgent({ keepAlive }),
    https: new HttpsAgent({ keepAlive, rejectUnauthorized: !insecure, ...(ca === undefined ? {} : { ca }) }),
  };
  const cut = () => Object.values(requestAgents).forEach((agent) => void agent.destroy());
  let sentAtSteadyMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let delay = {};
  let late: WireProblem | undefined;
  let told = 0;
  return new Promise((resolve, reject) => {
    const values = Object.entries(variables).map(([key, value]) => ({ key, value, enabled: true }));
    const options = {
      collection,
      environment: { values },
      reporters: [],
      ignoreRedirects: true,
      insecure,
      requestAgents,
      delayRequest: apartMs,
      timeoutScript: 30_000,
    };
    newman
      .run(options as unknown as NewmanRunOptions, (error) => {
        cut();
        if (error) reject(error);
        else resolve();
      })
      // The runtime inside Newman has such a limit; Newman has no option for it.
      .on('start', (_error, { run }: Started) => {
        Object.assign(run.requester.options, { maxResponseSize });
        delay = run.options.delay;
      })
      // It waits between an answer and the next request. What its scripts took has passed already.
      .on('item', () => Object.assign(delay, { item: Math.max(0, apartMs - (steadyMs() - sentAtSteadyMs)) }))
      .on('beforeItem', (_error, { item }) => tell({ kind: 'began', id: item.id }))
      .on('beforeRequest', (_error, { item }) => {
        sentAtSteadyMs = steadyMs();
        late = undefined;
        // Newman limits the pauses of an answer, but not its whole time.
        if (!toClock.includes(item.id))
          timer = setTimeout(() => {
            late = { code: 'timeout', message: `no whole answer came within ${timeoutMs} ms` };
            cut();
          }, timeoutMs);
      })
      .on('request', (error, { item, request, response }) => {
        clearTimeout(timer);
        const problem = late ?? (error ? wireProblem(error) : undefined);
        tell({
          kind: 'exchange',
          id: item.id,
          request: requestPlan(request),
          ...(response?.code ? { answer: answerOf(response) } : {}),
          ...(problem === undefined ? {} : { problem }),
          sentAtSteadyMs,
          durationMs: steadyMs() - sentAtSteadyMs,
        });
      })
      .on('script', (error, { item, execution }: Executed) => {
        if (error) tell({ kind: 'broke', id: item.id, message: String(error.message) });
        const results = JSON.parse(execution?._variables?.get('hydrauth_results') || '[]') as CheckResult[];
        tell({ kind: 'results', results: results.slice(told) });
        told = results.length;
      });
  });
}

/** What is read of two events that the types of Newman do not describe. */
type Started = { readonly run: { readonly requester: { readonly options: object }; readonly options: { readonly delay: object } } };
type Executed = { readonly item: { id: string }; readonly execution?: { _variables?: { get(name: string): string | undefined } } };

/** Newman's requests, answers and errors in the kit's own terms. */
function requestPlan({ method, url, headers, body }: NewmanRunExecution['request']): RequestPlan {
  const sent = body?.toString();
  return { method, target: url.getPathWithQuery(), headers: linesOf(headers), ...(sent ? { body: sent } : {}) };
}

/** The collection has judged the whole body; its beginning is enough to show. */
const shownOctets = 64 * 1024;

function answerOf({ code, status, headers, stream = Buffer.alloc(0) }: NewmanRunExecution['response']): Answer {
  return {
    status: code,
    reason: status ?? '',
    // Newman does not tell the version, and speaks no other.
    httpVersion: '1.1',
    headers: linesOf(headers),
    body: Buffer.from(stream.subarray(0, shownOctets)),
    ...(stream.length > shownOctets ? { wholeOctets: stream.length } : {}),
  };
}

function linesOf(headers: NewmanRunExecution['request']['headers']): HeaderLine[] {
  return headers.all().flatMap(({ key, value, disabled }) => (disabled === true ? [] : [[key, String(value)]]));
}

const codes: [RegExp, WireProblemCode, string][] = [
  [/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/, 'unreachable', 'no connection could be made'],
  [/CERT|SIGNATURE|ISSUER|ERR_TLS|ERR_SSL|EPROTO/, 'certificate', 'the secure connection failed'],
  [/TIMEDOUT/, 'timeout', 'no whole answer came in time'],
  [/^HPE_HEADER_OVERFLOW$/, 'too-large', 'the head of the answer is too large'],
  [/^(HPE_|ERR_INVALID|Z_)/, 'malformed', 'the answer is not well-formed'],
  [/^/, 'closed', 'the connection broke before the answer was whole'],
];

function wireProblem({ code = '', message }: { code?: string; message?: string }): WireProblem | undefined {
  const [, kind, says] = codes.find(([pattern]) => pattern.test(code)) ?? [];
  return kind && { code: kind, message: `${says} (${fromTarget(message ?? (code || 'no reason given'))})` };
}
