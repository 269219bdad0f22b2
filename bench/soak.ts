import { durationWords, spec } from '../spec/index.js';
import { authorizationOf, user } from './bench.js';
import { startChild } from './children.js';
import type { Burst, Job } from './load/generator.js';
import type { Held } from './servers/soaked.js';

/**
 * One million challenges and 100,000 full flows against one server process: memory and file handles stay flat, and a nonce from before
 * the flood still opens. Prints a table. `node --expose-gc --import tsx bench/soak.ts [CHALLENGES] [FLOWS]`
 */
const [challenges = 1_000_000, flows = 100_000] = process.argv.slice(2).map(Number);
const { headers, challenge, exchange, token: life } = spec.protocol;
const samples = 10;

const child = await startChild<{ url: string }>('servers/soaked.ts', { user: { ...user, id: Number(user.id) } });
const loader = await startChild<object>('load/generator.ts');
const { port, pathname, host } = new URL(`${child.ready.url}/books`);
const send = async (job: Omit<Job, 'port' | 'head'>, ...lines: string[]) => {
  const head = [`GET ${pathname} HTTP/1.1`, `Host: ${host}`, ...lines, ''].join('\r\n');
  return (await loader.ask<Burst>({ port: Number(port), head, ...job } satisfies Job)).collected;
};
const flood = (count: number) => send({ count, status: String(challenge.status), collect: headers.nonce });
const exchangeAll = (values: readonly string[]) => {
  const job = { nonces: { header: headers.nonce, values }, collect: headers.token, status: String(exchange.status) };
  return send(job, `${headers.authorization}: ${authorizationOf(spec)}`);
};
const flow = async (count: number) => {
  const values = await exchangeAll(await flood(count));
  await send({ nonces: { header: headers.token, values }, status: String(exchange.status) });
};

const rows: string[] = [];
const begun = performance.now();
async function note(what: string, minutes = 0): Promise<Held> {
  const held = await child.ask<Held>({ minutes });
  const seconds = (performance.now() - begun) / 1000;
  rows.push(`| ${what} | ${seconds.toFixed(0)} | ${held.residentMb.toFixed(1)} | ${held.heapMb.toFixed(1)} | ${held.handles} |`);
  process.stderr.write(`${rows.at(-1)}\n`);
  return held;
}

await flood(50_000);
await flow(2000);
const before = await note('after the warm-up', 60);
const early = await flood(1);
for (let sample = 1; sample <= samples; sample++) {
  await flood(challenges / samples);
  await note(`${((challenges / samples) * sample).toLocaleString('en')} challenges`);
}
await exchangeAll(early); // any other status throws
const lifetimeMinutes = life.lifetimeMs / 60_000;
for (let sample = 1; sample <= samples; sample++) {
  await flow(flows / samples);
  await note(`${((flows / samples) * sample).toLocaleString('en')} flows, then ${durationWords(life.lifetimeMs)}`, lifetimeMinutes);
}
const after = await note('at the end', lifetimeMinutes);
await Promise.all([child.stop(), loader.stop()]);

process.stdout.write(`| after | seconds | resident MB | heap MB | file handles |
| --- | ---: | ---: | ---: | ---: |
${rows.join('\n')}

The nonce from before the challenges: status ${exchange.status}. Heap: ${(after.heapMb - before.heapMb).toFixed(1)} MB more than after the warm-up.
`);
