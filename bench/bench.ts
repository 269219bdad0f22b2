import { spec } from '../spec/index.js';
import { cli } from './build.js';
import type { Child } from './children.js';
import type { Add } from './figures.js';
import type { Burst, Worked } from './load.js';
import type { Kind, Ready, Usage } from './servers.js';
import { authorization, collections, users } from './users.js';

/** What every measure is given. */
export interface Bench {
  /** Fewer and shorter rounds: shows that everything works, not how fast it is. */
  readonly quick: boolean;
  readonly rounds: number;
  readonly add: Add;
  /** Starts a server in a process of its own, which is stopped when the measure is taken. */
  serve(kind: Kind, settings?: object, nodeOptions?: readonly string[]): Promise<Served>;
  /** Starts another process that puts load on servers. */
  loader(): Promise<Child<object>>;
  log(text: string): void;
}

/** A server under test, by its address. */
export type Served = Child<Ready>;

/** The words of a command that judges a server. */
export const checking = ({ url, clock }: Ready): string[] => {
  const given = users.flatMap(({ id, paraphrase }) => ['--user', `${id}:${paraphrase}`]);
  return [cli, 'check', url, '--collection', ...collections, ...given, '--clock', String(clock)];
};

const { headers, challenge, exchange } = spec.protocol;

export interface Load {
  readonly collected: readonly string[];
  readonly perSecond: number;
  /** Of the server alone: less shaken than the rate when the machine is busy. */
  readonly cpuMsPerRequest: number;
}

/** Bursts of requests from this process, each of them counted by what it takes of the server. */
export function loadFrom(loader: Child<object>) {
  const load = async (server: Served, more: Partial<Burst>): Promise<Load> => {
    const before = await server.ask<Usage>({});
    const burst: Burst = { url: `${server.ready.url}/books`, headers: {}, status: exchange.status, ...more };
    const { requests, seconds, collected = [] } = await loader.ask<Worked>({ burst });
    const after = await server.ask<Usage>({});
    return { collected, perSecond: requests / seconds, cpuMsPerRequest: (after.cpuMs - before.cpuMs) / requests };
  };
  /** Collects the nonces. */
  const challenges = (server: Served, count: number) => load(server, { status: challenge.status, count, collect: headers.nonce });
  /** Collects the tokens. Where only a number of nonces is given, they are fetched first and are not part of what is measured. */
  const exchanges = async (server: Served, nonces: number | readonly string[]) => {
    const values = typeof nonces === 'number' ? (await challenges(server, nonces)).collected : nonces;
    const carried = { [headers.authorization]: authorization };
    return load(server, { headers: carried, each: { header: headers.nonce, values }, collect: headers.token });
  };
  return {
    challenges,
    exchanges,
    /** Uses one token so many times. */
    uses: (server: Served, token: string, count: number) => load(server, { headers: { [headers.token]: token }, count }),
    /** Uses each of these once. */
    usesOfEach: (server: Served, values: readonly string[]) => load(server, { each: { header: headers.token, values } }),
    token: async (server: Served) => (await exchanges(server, 1)).collected[0] as string,
  };
}
