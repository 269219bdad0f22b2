import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Queue } from 'bullmq';
import { parseReport, type Report, verdictWords } from '../report/index.js';
import { kitVersion } from '../version.js';
import type { Told } from './judge-all.js';
import { judgeService, type Place, unjudged } from './judge-service.js';
import type { FleetFile, Service } from './read-file.js';

const queueName = 'hydrauth-fleet';
const askAgainMs = 500;
const longestPauseMs = 2000;
/** A worker that has not been heard of for so long is dead, and its service goes to another one. */
const lockDuration = 15_000;
const stalledInterval = 5000;
/** So often may workers die, or be stopped, over one service. */
const mostWorkers = 10;

/** What a worker is given. Secrets are not in it, only where they stand. */
interface Job {
  readonly service: Service;
  readonly seed: number;
  readonly startedAt: string;
  readonly kit: string;
}

class QueueError extends Error {
  override readonly name = 'QueueError';
  readonly code = 'HYDRAUTH_QUEUE';
}

/** Refuses what must not pass through Redis: secrets, and commands that anybody who can write to it would run on the workers. */
export function checkForQueue(file: FleetFile, service: Service): void {
  for (const key of ['users', 'header'])
    if ((service.options[key] as unknown[] | undefined)?.some((each) => typeof each === 'string'))
      throw file.problem(
        service,
        key,
        'with --queue these are given as { env: NAME } or { file: PATH }, so that no secret passes through Redis',
      );
  if (isCommand(service))
    throw file.problem(service, 'clock', 'with --queue a command is not allowed, because Redis would tell workers what to run');
}

const isCommand = ({ options }: Service) => String(options['clock']).startsWith('exec:');

/** Puts the services into the queue and tells each as its report comes. Called again, it takes up the same run; `forget` ends it. */
export async function collect(url: string, services: readonly Service[], given: number | undefined, told: Told, signal: AbortSignal) {
  const { Queue } = await loadBullmq();
  const client = await connected(url);
  told.begin();
  const queue: Queue<Job, string> = new Queue(queueName, { connection: client });
  // A connection that is lost comes back by itself; whatever was asked meanwhile is asked again.
  queue.on('error', () => {});
  const run = createHash('sha256')
    .update(JSON.stringify([kitVersion(), given, services]))
    .digest('hex')
    .slice(0, 16);
  const idOf = ({ name }: Service) => `${run}-${name}`;
  const earlier = (await Promise.all(services.map((service) => queue.getJob(idOf(service))))).find((job) => job !== undefined)?.data;
  const { seed, startedAt } = earlier ?? { seed: given ?? Math.floor(Math.random() * 2 ** 31), startedAt: new Date().toISOString() };
  const add = (service: Service) =>
    queue.add(service.name, { service, seed, startedAt, kit: kitVersion() }, { jobId: idOf(service), attempts: mostWorkers });
  const left = new Set(services);
  while (left.size > 0 && !signal.aborted) {
    try {
      for (const service of left) {
        const state = await queue.getJobState(idOf(service));
        // New, or lost by a Redis that kept nothing.
        if (state === 'unknown') await add(service);
        if (state !== 'completed' && state !== 'failed') continue;
        const job = await queue.getJob(idOf(service));
        if (job === undefined) continue;
        told.end(
          service,
          state === 'completed' ? unpacked(job.returnvalue) : unjudged(service, seed, `The workers failed: ${job.failedReason}`),
        );
        left.delete(service);
      }
      told.going(`${left.size} in the queue`);
    } catch (error) {
      if (client.isReady) throw error;
      told.going('waiting for Redis');
    }
    if (left.size > 0) await pause(askAgainMs, undefined, { signal }).catch(() => {});
  }
  for (const service of left) told.end(service, unjudged(service, seed, 'The run was interrupted; the same call takes it up again'));
  const forget = async () => {
    if (left.size === 0) await Promise.all(services.map((service) => queue.remove(idOf(service))));
    await queue.close();
    client.destroy();
  };
  return { seed, startedAt, forget };
}

/** Judges what the queue holds, so much at once, until the signal. What is not done then goes to another worker. */
export async function work(url: string, jobs: number, place: Omit<Place, 'seed'>, tell: (line: string) => void, signal: AbortSignal) {
  const { Worker } = await loadBullmq();
  const client = await connected(url);
  const judge = async ({ service, seed, kit }: Job): Promise<Report> => {
    if (kit !== kitVersion()) return unjudged(service, seed, `A worker has hydrauth ${kitVersion()}, and the run was started with ${kit}`);
    if (isCommand(service)) return unjudged(service, seed, 'A worker runs no command that came through a queue');
    return judgeService(service, { ...place, seed }, { signal, onProgress: () => {} });
  };
  const options = { connection: client, concurrency: jobs, lockDuration, stalledInterval, maxStalledCount: mostWorkers };
  const worker = new Worker<Job, string>(
    queueName,
    async ({ data }) => {
      tell(`Judging ${data.service.name}`);
      const report = await judge(data);
      signal.throwIfAborted();
      tell(`${verdictWords[report.verdict]}: ${data.service.name}`);
      return gzipSync(JSON.stringify(report)).toString('base64');
    },
    options,
  );
  worker.on('error', () => {});
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await worker.close();
  client.destroy();
}

function unpacked(packed: string): Report {
  return parseReport(gunzipSync(Buffer.from(packed, 'base64')).toString(), 'the report of a worker');
}

async function loadBullmq() {
  try {
    return await import('bullmq');
  } catch {
    throw new QueueError('--queue needs BullMQ, which is not installed: npm install bullmq@6');
  }
}

/** A client that comes back by itself once it was there. */
async function connected(url: string) {
  const { createClient } = await import('redis');
  let isOpen = false;
  const client = createClient({
    url,
    socket: { reconnectStrategy: (tries, cause) => (isOpen ? Math.min(50 * 2 ** Math.min(tries, 10), longestPauseMs) : cause) },
  });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw new QueueError(`the queue at ${new URL(url).host} cannot be reached: ${message || code}`);
  }
  isOpen = true;
  return client;
}
