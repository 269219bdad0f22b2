import { createHash, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { oneLine, parseReport, type Report, schemaValidator, verdicts } from '../report/index.js';
import { kitVersion } from '../version.js';
import { judgesApart, type Told } from './apart.js';
import { type Place, unjudged } from './judge.js';
import type { FleetFile, Service } from './read-file.js';
import { fleetFileSchema, runSchema } from './schema.js';

const queueName = 'hydrauth-fleet';
const askAgainMs = 500;
/** So often may workers die, or be stopped, over one service. */
const mostWorkers = 10;
/** A worker that has not been heard of for so long is dead, and its service goes to another one. */
const dying = { lockDuration: 15_000, stalledInterval: 5000, maxStalledCount: mostWorkers };

/** What a worker is given. Secrets are not in it, only where they stand. */
type Job = { readonly service: Service; readonly seed: number; readonly startedAt: string; readonly kit: string };

/** Of what a worker says went wrong, in characters. */
const longestReason = 300;
/** Unpacked; others take less than a hundredth. */
const largestReport = 64 * 1024 * 1024;

/** Whether a job is one that a fleet file can ask for: whoever can write to Redis may have written it. */
function isJob(job: Job): boolean {
  const { options, ...service } = job?.service ?? {};
  return (
    schemaValidator(runSchema)({ ...job, services: [service] }) &&
    schemaValidator(fleetFileSchema)({ services: [{ ...options, ...service }] })
  );
}

/** The key that would run or write something on the machine of a worker. */
const actingKey = ({ options }: Service) =>
  options['record'] !== undefined ? 'record' : /^(exec|faketime):/.test(String(options['clock'])) ? 'clock' : undefined;

/** Refuses what must not pass through Redis: secrets, and what lets anybody who can write to it run or write something on the workers. */
export function checkForQueue(file: FleetFile, service: Service): void {
  const byValue = ['users', 'header'].find((key) => [service.options[key]].flat().some((each) => typeof each === 'string'));
  const instead = 'with --queue these are given as { env: NAME } or { file: PATH }, so that no secret passes through Redis';
  if (byValue !== undefined) throw file.problem(service, byValue, instead);
  const acting = actingKey(service);
  if (acting !== undefined)
    throw file.problem(
      service,
      acting,
      'with --queue no record and no clock of exec: or faketime: is allowed; Redis would tell workers what to run and write',
    );
}

/** Puts the services into the queue and tells each as its report comes. Called again, it takes up the same run; `forget` ends it. */
export async function collect(url: string, services: readonly Service[], given: number | undefined, told: Told, signal: AbortSignal) {
  const { Queue, connection } = await connected(url);
  told.begin();
  const queue = new Queue<Job, string>(queueName, { connection });
  // A connection that is lost comes back by itself; whatever was asked meanwhile is asked again.
  queue.on('error', () => {});
  const kit = kitVersion();
  const run = createHash('sha256').update(JSON.stringify([kit, given, services]));
  const prefix = run.digest('hex').slice(0, 16);
  const ids = new Map(services.map((service) => [`${prefix}-${service.name}`, service]));
  const jobs = await Promise.all([...ids.keys()].map((id) => queue.getJob(id).catch(() => undefined)));
  const earlier = jobs.find((job) => job !== undefined && isJob(job.data))?.data;
  const { seed, startedAt } = earlier ?? { seed: given ?? randomInt(2 ** 31), startedAt: new Date().toISOString() };
  const left = new Map(ids);
  const look = async (id: string, service: Service) => {
    const state = await queue.getJobState(id);
    // New, or lost by a Redis that kept nothing.
    if (state === 'unknown') await queue.add(service.name, { service, seed, startedAt, kit }, { jobId: id, attempts: mostWorkers });
    const job = state === 'completed' || state === 'failed' ? await queue.getJob(id) : undefined;
    if (job === undefined || !left.delete(id)) return;
    const failed = (why: string) => unjudged(service, seed, `The workers failed: ${oneLine(String(why).slice(0, longestReason))}`);
    told.end(service, state === 'failed' ? failed(job.failedReason) : unpacked(job.returnvalue, failed));
  };
  while (left.size > 0 && !signal.aborted) {
    try {
      for (const [id, service] of left) await look(id, service);
      told.going(`${left.size} in the queue`);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (connection.isReady) throw code?.startsWith('HYDRAUTH') ? error : fail(`the queue holds what hydrauth did not write: ${message}`);
      told.going('waiting for Redis');
    }
    if (left.size > 0) await pause(askAgainMs, undefined, { signal }).catch(() => {});
  }
  for (const service of left.values())
    told.end(service, unjudged(service, seed, 'The run was interrupted; the same call takes it up again'));
  const forget = async () => {
    if (left.size === 0) await Promise.all([...ids.keys()].map((id) => queue.remove(id)));
    await queue.close();
    connection.destroy();
  };
  return { seed, startedAt, forget };
}

/** Judges what the queue holds, so much at once, until the signal. What is not done then goes to another worker. */
export async function work(url: string, jobs: number, place: Omit<Place, 'seed'>, tell: (line: string) => void, signal: AbortSignal) {
  const { Worker, connection } = await connected(url);
  const judges = judgesApart(jobs);
  const judge = async ({ service, seed, kit }: Job): Promise<Report> => {
    if (kit !== kitVersion()) return unjudged(service, seed, `A worker has hydrauth ${kitVersion()}, and the run was started with ${kit}`);
    if (actingKey(service) !== undefined)
      return unjudged(service, seed, 'A worker runs no command and writes no file that came through a queue');
    return judges.judge(service, { ...place, seed, isClosed: true }, { signal, onProgress: () => {} });
  };
  const judgeJob = async ({ data }: { readonly data: Job }) => {
    if (!isJob(data)) throw new Error('what the queue holds is no job of hydrauth fleet');
    tell(`Judging ${data.service.name}`);
    const report = await judge(data);
    signal.throwIfAborted();
    tell(`${verdicts[report.verdict].word}: ${data.service.name}`);
    return gzipSync(JSON.stringify(report)).toString('base64');
  };
  const worker = new Worker<Job, string>(queueName, judgeJob, { connection, concurrency: jobs, ...dying });
  worker.on('error', () => {});
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await worker.close();
  judges.end();
  connection.destroy();
}

function unpacked(packed: string, failed: (why: string) => Report): Report {
  try {
    const octets = gunzipSync(Buffer.from(String(packed), 'base64'), { maxOutputLength: largestReport });
    return parseReport(octets.toString(), 'the report of a worker');
  } catch (error) {
    return failed((error as Error).message);
  }
}

const fail = (message: string, code = 'HYDRAUTH_QUEUE') => Object.assign(new Error(message), { code });

/** BullMQ, and a connection that comes back by itself once it was there. */
async function connected(url: string) {
  if (!/^rediss?:\/\//.test(url) || !URL.canParse(url))
    throw fail('--queue is no address of Redis, such as redis://localhost:6379', 'HYDRAUTH_OPTION');
  const [{ createClient }, bullmq] = await Promise.all([import('redis'), import('bullmq').catch(() => undefined)]);
  if (bullmq === undefined) throw fail('--queue needs BullMQ, which is not installed: npm install bullmq@6');
  let isOpen = false;
  const reconnectStrategy = (tries: number, cause: Error) => (isOpen ? Math.min(50 * 2 ** Math.min(tries, 10), 2000) : cause);
  const connection = createClient({ url, socket: { reconnectStrategy } });
  connection.on('error', () => {});
  await connection.connect().catch(({ message, code }) => {
    throw fail(`the queue at ${new URL(url).host} cannot be reached: ${message || code}`);
  });
  isOpen = true;
  return { Queue: bullmq.Queue, Worker: bullmq.Worker, connection };
}
