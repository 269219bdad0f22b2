import { Agent, get, type IncomingMessage } from 'node:http';
import type * as Conformance from '../conformance/index.js';
import { spec } from '../spec/index.js';
import { built } from './build.js';
import { answerWith, tell } from './children.js';
import { authorization } from './users.js';

/** Requests to one address, as fast as they are answered. */
export interface Burst {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The status that every answer must have. */
  readonly status: number;
  /** How many requests, unless each carries a value of its own. */
  readonly count?: number;
  readonly each?: { readonly header: string; readonly values: readonly string[] };
  /** The header whose values are to be brought home. */
  readonly collect?: string;
}

/** The three steps over and over. */
export interface Loop {
  readonly url: string;
  readonly concurrency: number;
  readonly seconds: number;
}

/** What a process that puts load on a server is asked for. */
export type Work = { readonly burst: Burst } | { readonly loop: Loop } | { readonly judge: Conformance.ConformanceOptions };

export interface Worked {
  readonly requests: number;
  readonly collected?: readonly string[];
  readonly seconds: number;
  readonly cpuSeconds: number;
}

type Ask = (url: string, headers: Readonly<Record<string, string>>) => Promise<IncomingMessage>;

/** So many at a time, with nothing but node:http. */
async function atOnce(width: number, work: (ask: Ask) => Promise<void>): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: width });
  const ask: Ask = (url, headers) =>
    new Promise((resolve, reject) => {
      get(url, { agent, headers }, (answer) => answer.resume().on('end', () => resolve(answer))).on('error', reject);
    });
  await Promise.all(Array.from({ length: width }, () => work(ask)));
  agent.destroy();
}

async function burst({ url, headers, status, each, count = each?.values.length ?? 0, collect }: Burst) {
  const collected: string[] = [];
  let sent = 0;
  await atOnce(32, async (ask) => {
    while (sent < count) {
      const at = sent++;
      const answer = await ask(url, each === undefined ? headers : { ...headers, [each.header]: each.values[at] as string });
      if (answer.statusCode !== status) throw new Error(`expected ${status}, got ${answer.statusCode}`);
      if (collect !== undefined) collected.push(String(answer.headers[collect.toLowerCase()] ?? ''));
    }
  });
  return { requests: count, collected };
}

async function loop({ url, concurrency, seconds }: Loop) {
  const names = spec.protocol.headers;
  const untilMs = performance.now() + seconds * 1000;
  let requests = 0;
  await atOnce(concurrency, async (ask) => {
    while (performance.now() < untilMs) {
      const { headers: challenge } = await ask(url, {});
      const carried = { [names.authorization]: authorization, [names.nonce]: String(challenge[names.nonce.toLowerCase()]) };
      const { headers: exchange } = await ask(url, carried);
      await ask(url, { [names.token]: String(exchange[names.token.toLowerCase()]) });
      requests += 3;
    }
  });
  return { requests };
}

async function judge(options: Conformance.ConformanceOptions) {
  const { runConformance } = (await import(built('conformance', 'index.js'))) as typeof Conformance;
  const { requests } = await runConformance(options);
  return { requests };
}

/** Works in a process of its own, so that the server is what is measured, and in one that stays, so that starting up is no part of it. */
answerWith(async (work: Work): Promise<Worked> => {
  const before = process.cpuUsage();
  const beganMs = performance.now();
  const done = await ('burst' in work ? burst(work.burst) : 'loop' in work ? loop(work.loop) : judge(work.judge));
  const { user, system } = process.cpuUsage(before);
  return { ...done, seconds: (performance.now() - beganMs) / 1000, cpuSeconds: (user + system) / 1e6 };
});
tell({});
