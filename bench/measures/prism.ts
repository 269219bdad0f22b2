import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../bench.js';
import { root } from '../build.js';
import type { Burst, Job } from '../load/generator.js';
import { fetchRaw } from '../load/raw.js';
import { notInstalled } from '../peers.js';
import { freePort } from '../redis-server.js';
import { summarize } from '../statistics.js';

/** Prism's mock of our own OpenAPI document: what one would start instead of the reference server. It remembers nothing. */
export async function measurePrism({ results, loader, rounds, burstSeconds, spec, log }: Bench): Promise<void> {
  const about = { name: 'prism mock', what: 'token use, answered from the OpenAPI document', unit: 'requests/s' };
  const program = join(root, 'bench', 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js');
  if (!existsSync(program)) {
    results.peers.push({ ...about, skipped: notInstalled });
    return;
  }
  log('prism');
  const port = await freePort();
  const words = [program, 'mock', join(root, 'spec', 'openapi.yaml'), '-p', String(port), '-v', 'silent'];
  const child = spawn(process.execPath, words, { stdio: 'ignore' });
  process.on('exit', () => child.kill());
  const token = { [spec.protocol.headers.token]: 'a'.repeat(64) };
  const status = await untilAnswered(`http://127.0.0.1:${port}/books`, token);
  const head = `GET /books HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${spec.protocol.headers.token}: ${'a'.repeat(64)}\r\n`;
  const job: Job = { port, connections: 32, head, seconds: burstSeconds, status: String(status) };
  const rates: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const { requests, seconds } = await loader.ask<Burst>(job);
    if (round > 0) rates.push(requests / seconds);
  }
  child.kill();
  results.peers.push({ ...about, what: `${about.what} (${status})`, summary: summarize(rates) });
}

async function untilAnswered(url: string, headers: Record<string, string>): Promise<number> {
  const endMs = performance.now() + 60_000;
  for (;;) {
    const answer = await fetchRaw(url, headers).catch(() => undefined);
    if (answer !== undefined) return answer.status;
    if (performance.now() > endMs) throw new Error('prism did not start within a minute');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
