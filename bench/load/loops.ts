import { Agent, get, type IncomingHttpHeaders } from 'node:http';
import type * as Conformance from '../../conformance/index.js';
import { built } from '../build.js';
import { answerWith, tell } from '../children.js';

export interface HttpLoop {
  readonly url: string;
  readonly concurrency: number;
  readonly seconds: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly names: { readonly nonce: string; readonly token: string };
}

export interface Worked {
  readonly requests: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

type Work = { readonly judging: Conformance.ConformanceOptions } | { readonly looping: HttpLoop };

/** The three steps over and over with nothing but node:http, so many at a time. */
async function loop({ url, concurrency, seconds, headers, names }: HttpLoop): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const ask = (lines: Record<string, string>) =>
    new Promise<IncomingHttpHeaders>((resolve, reject) => {
      get(url, { agent, headers: lines }, (res) => res.resume().on('end', () => resolve(res.headers))).on('error', reject);
    });
  const untilMs = performance.now() + seconds * 1000;
  let requests = 0;
  const steps = async () => {
    while (performance.now() < untilMs) {
      const challenge = await ask({});
      const exchange = await ask({ ...headers, [names.nonce]: String(challenge[names.nonce.toLowerCase()]) });
      await ask({ [names.token]: String(exchange[names.token.toLowerCase()]) });
      requests += 3;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, steps));
  agent.destroy();
  return requests;
}

/** Works in a process that stays, so that starting up is not part of what is measured. */
const { runConformance } = (await import(built('conformance', 'index.js'))) as typeof Conformance;
answerWith(async (work: Work): Promise<Worked> => {
  const before = process.cpuUsage();
  const beganMs = performance.now();
  const requests = 'looping' in work ? await loop(work.looping) : (await runConformance(work.judging)).requests;
  const { user, system } = process.cpuUsage(before);
  return { requests, seconds: (performance.now() - beganMs) / 1000, cpuSeconds: (user + system) / 1e6 };
});
tell({});
