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

type Loading = Pick<Bench, 'loader' | 'spec'>;

/** Sends a burst to one server and counts what it takes. */
async function load(
  { loader }: Loading,
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

/** Collects the nonces. */
export const loadChallenge = (bench: Loading, server: Served, count: number): Promise<Load> =>
  load(bench, server, bench.spec.protocol.challenge.status, [], { count, collect: bench.spec.protocol.headers.nonce });

/** Uses one token so many times, or each of these once. */
export function loadTokenUse(bench: Loading, server: Served, token: string | readonly string[], count = 1): Promise<Load> {
  const { headers, exchange } = bench.spec.protocol;
  if (typeof token === 'string') return load(bench, server, exchange.status, [`${headers.token}: ${token}`], { count });
  return load(bench, server, exchange.status, [], { nonces: { header: headers.token, values: token } });
}

/** Collects the tokens. Where only a number of nonces is given, they are fetched first and are not part of what is measured. */
export async function loadExchange(bench: Loading, server: Served, nonces: number | readonly string[]): Promise<Load> {
  const { headers, exchange } = bench.spec.protocol;
  const values = typeof nonces === 'number' ? (await loadChallenge(bench, server, nonces)).collected : nonces;
  const job = { nonces: { header: headers.nonce, values }, collect: headers.token };
  return load(bench, server, exchange.status, [`${headers.authorization}: ${authorizationOf(bench.spec)}`], job);
}

export const takeToken = async (bench: Loading, server: Served): Promise<string> =>
  (await loadExchange(bench, server, 1)).collected[0] as string;
