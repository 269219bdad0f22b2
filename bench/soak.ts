import { setTimeout } from 'node:timers/promises';
import { markdownTable } from '../conformance/report/index.js';
import { durationWords, spec } from '../spec/index.js';
import { loadFrom } from './bench.js';
import { build } from './build.js';
import { startChild } from './children.js';
import type { Ready, Usage } from './servers.js';

/**
 * One million challenges and 100,000 full flows against one server process: memory and file handles stay flat, and a nonce from before
 * the flood still opens. Prints a table. `node --import tsx bench/soak.ts [CHALLENGES] [FLOWS]`
 */
const [challenges = 1_000_000, flows = 100_000] = process.argv.slice(2).map(Number);
const { lifetimeMs } = spec.protocol.token;
const samples = 10;

build();
const server = await startChild<Ready>('servers.ts', { kind: 'reference', clock: 'manual' }, ['--expose-gc']);
const loader = await startChild<object>('load.ts');
const { challenges: challenge, exchanges, usesOfEach } = loadFrom(loader);
const flow = async (count: number) => usesOfEach(server, (await exchanges(server, count)).collected);

const rows: string[][] = [];
const begun = performance.now();
async function note(what: string, advanceMs = 0): Promise<Usage> {
  if (advanceMs > 0) await fetch(String(server.ready.clock), { method: 'POST', body: JSON.stringify({ advanceMs }) });
  await setTimeout(200); // until the connections of the load are closed there, too
  const used = await server.ask<Usage>({});
  const seconds = (performance.now() - begun) / 1000;
  rows.push([what, seconds.toFixed(0), used.residentMb.toFixed(1), used.heapMb.toFixed(1), String(used.handles)]);
  process.stderr.write(`${rows.at(-1)?.join(' | ')}\n`);
  return used;
}

await challenge(server, 50_000);
await flow(2000);
const before = await note('after the warm-up', 3_600_000);
const { collected: early } = await challenge(server, 1);
for (let sample = 1; sample <= samples; sample++) {
  await challenge(server, challenges / samples);
  await note(`${((challenges / samples) * sample).toLocaleString('en')} challenges`);
}
await exchanges(server, early); // any other status throws
for (let sample = 1; sample <= samples; sample++) {
  await flow(flows / samples);
  await note(`${((flows / samples) * sample).toLocaleString('en')} flows, then ${durationWords(lifetimeMs)}`, lifetimeMs);
}
const after = await note('at the end', lifetimeMs);
await Promise.all([server.stop(), loader.stop()]);

process.stdout.write(`${markdownTable(['after', 'seconds', 'resident MB', 'heap MB', 'file handles'], rows)}

The nonce from before the challenges still opened. Heap: ${(after.heapMb - before.heapMb).toFixed(1)} MB more than after the warm-up.
`);
