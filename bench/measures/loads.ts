import { authorizationOf, type Bench } from '../bench.js';
import type { Child } from '../children.js';
import type { Burst, Job } from '../load/generator.js';
import type { Usage } from '../servers/usage.js';

/** A server under test, by its address. */
export type Served = Child<{ readonly url: string }>;

export interface Load extends Burst {
  readonly perSecond: number;
  /** Of the server alone: less shaken than the rate when the machine is busy. */
  readonly cpuMsPerRequest: number;
}

/** Sends a burst to one server and counts what it takes. */
async function load(
  { loader }: Bench,
  server: Served,
  status: number,
  lines: readonly string[],
  job: Omit<Job, 'port' | 'head' | 'status'>,
): Promise<Load> {
  const { port, pathname, host } = new URL(server.ready.url);
  const head = [`GET ${pathname}/books HTTP/1.1`, `Host: ${host}`, ...lines, ''].join('\r\n');
  const before = await server.ask<Usage>({});
  const burst = await loader.ask<Burst>({ port: Number(port), head, status: String(status), ...job } satisfies Job);
  const after = await server.ask<Usage>({});
  return { ...burst, perSecond: burst.requests / burst.seconds, cpuMsPerRequest: (after.cpuMs - before.cpuMs) / burst.requests };
}

export const loadChallenge = (bench: Bench, server: Served, job: Pick<Job, 'count' | 'collect'>): Promise<Load> =>
  load(bench, server, bench.spec.protocol.challenge.status, [], job);

export function loadTokenUse(bench: Bench, server: Served, token: string, job: Pick<Job, 'count'>): Promise<Load> {
  const { headers, exchange } = bench.spec.protocol;
  return load(bench, server, exchange.status, [`${headers.token}: ${token}`], job);
}

/** Nonces are fetched first and are not part of what is measured. */
export async function loadExchange(bench: Bench, server: Served, count: number): Promise<Load> {
  const { headers, exchange } = bench.spec.protocol;
  const { collected: values } = await loadChallenge(bench, server, { count, collect: headers.nonce });
  const job = { nonces: { header: headers.nonce, values }, collect: headers.token };
  return load(bench, server, exchange.status, [`${headers.authorization}: ${authorizationOf(bench.spec)}`], job);
}

export const takeToken = async (bench: Bench, server: Served): Promise<string> =>
  (await loadExchange(bench, server, 1)).collected[0] as string;
