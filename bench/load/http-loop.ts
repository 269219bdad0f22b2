import { Agent, request } from 'node:http';
import { answerWith, tell } from '../children.js';

export interface HttpLoop {
  readonly url: string;
  readonly concurrency: number;
  readonly seconds: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly names: { readonly nonce: string; readonly token: string };
}

/** The three steps over and over with nothing but node:http, so many at a time. */
answerWith(async ({ url, concurrency, seconds, headers, names }: HttpLoop) => {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const get = (lines: Record<string, string>) =>
    new Promise<Record<string, string | string[] | undefined>>((resolve, reject) => {
      const sent = request(url, { agent, headers: lines }, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () => resolve(res.headers));
      });
      sent.on('error', reject);
      sent.end();
    });
  const before = process.cpuUsage();
  const startMs = performance.now();
  let requests = 0;
  const loop = async () => {
    while (performance.now() < startMs + seconds * 1000) {
      const challenge = await get({});
      const exchange = await get({ ...headers, [names.nonce]: String(challenge[names.nonce.toLowerCase()]) });
      await get({ [names.token]: String(exchange[names.token.toLowerCase()]) });
      requests += 3;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  const took = (performance.now() - startMs) / 1000;
  agent.destroy();
  const { user, system } = process.cpuUsage(before);
  return { requests, seconds: took, cpuSeconds: (user + system) / 1e6 };
});
tell({});
