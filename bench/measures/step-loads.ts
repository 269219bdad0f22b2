import { authorizationOf, type Bench } from '../bench.js';
import type { Child } from '../children.js';
import type { Burst, Job } from '../load/generator.js';
import type { Usage } from '../servers/usage.js';

/** A server under test, by its address. */
export type Served = Child<{ readonly url: string }>;

export interface Load extends Burst {
  readonly perSecond: number;
  /** Of the server alone: less shaken than the rate when the machine is busy. */
  readonly serverCpuMsPerRequest: number;
}

const connections = 32;
const portOf = (server: Served) => Number(new URL(server.ready.url).port);
const headTo = (server: Served, ...lines: string[]) =>
  [`GET ${new URL(server.ready.url).pathname}/books HTTP/1.1`, `Host: ${new URL(server.ready.url).host}`, ...lines, ''].join('\r\n');

/** Sends a burst to one server and counts what it takes. */
async function load({ loader }: Bench, server: Served, job: Omit<Job, 'port' | 'connections'>): Promise<Load> {
  const before = await server.ask<Usage>({});
  const burst = await loader.ask<Burst>({ port: portOf(server), connections, ...job } satisfies Job);
  const after = await server.ask<Usage>({});
  return { ...burst, perSecond: burst.requests / burst.seconds, serverCpuMsPerRequest: (after.cpuMs - before.cpuMs) / burst.requests };
}

/** How long, or how many requests. */
type Extent = Pick<Job, 'seconds' | 'count'>;

export function loadChallenge(bench: Bench, server: Served, extent: Extent): Promise<Load> {
  return load(bench, server, { ...extent, head: headTo(server), status: String(bench.spec.protocol.challenge.status) });
}

export async function loadTokenUse(bench: Bench, server: Served, token: string, extent: Extent): Promise<Load> {
  return load(bench, server, {
    ...extent,
    head: headTo(server, `${bench.spec.protocol.headers.token}: ${token}`),
    status: String(bench.spec.protocol.exchange.status),
  });
}

/** Nonces are fetched first and are not part of what is measured. */
export async function loadExchange(bench: Bench, server: Served, count: number): Promise<Load> {
  const { headers, exchange } = bench.spec.protocol;
  const { collected } = await loadNonces(bench, server, count);
  const authorized = headTo(server, `${headers.authorization}: ${authorizationOf(bench.spec)}`);
  return load(bench, server, { head: authorized, status: String(exchange.status), nonces: { header: headers.nonce, values: collected } });
}

export async function takeToken(bench: Bench, server: Served): Promise<string> {
  const { headers, exchange } = bench.spec.protocol;
  const { collected: values } = await loadNonces(bench, server, 1);
  const job = { head: headTo(server, `${headers.authorization}: ${authorizationOf(bench.spec)}`), status: String(exchange.status) };
  const { collected } = await load(bench, server, { ...job, nonces: { header: headers.nonce, values }, collect: headers.token });
  return collected[0] as string;
}

function loadNonces(bench: Bench, server: Served, count: number): Promise<Load> {
  const { headers, challenge } = bench.spec.protocol;
  return load(bench, server, { count, head: headTo(server), status: String(challenge.status), collect: headers.nonce });
}
