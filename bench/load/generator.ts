import { answerWith, tell } from '../children.js';
import { quantile } from '../statistics.js';
import { LoadConnection } from './connection.js';
import type { Burst, Job } from './job.js';

/** Sends requests from a process of its own, so that the server is what is measured. */
async function work({ port, connections, head, seconds, count, status, collect, nonces }: Job): Promise<Burst> {
  const octets = Buffer.from(`${head}\r\n`, 'latin1');
  const latencies: number[] = [];
  const collected: string[] = [];
  const pattern = collect === undefined ? undefined : new RegExp(`\\r\\n${collect}: *([^\\r]*)`, 'i');
  const limit = nonces?.values.length ?? count ?? Number.POSITIVE_INFINITY;
  const lines = Array.from({ length: connections }, () => new LoadConnection(port));
  const startMs = performance.now();
  const endMs = startMs + (seconds ?? Number.POSITIVE_INFINITY) * 1000;
  let sent = 0;
  const loop = async (line: LoadConnection) => {
    for (let nowMs = startMs; sent < limit && nowMs < endMs; ) {
      const at = sent++;
      const request = nonces === undefined ? octets : Buffer.from(`${head}${nonces.header}: ${nonces.values[at]}\r\n\r\n`, 'latin1');
      const beforeMs = performance.now();
      const answer = await line.send(request);
      nowMs = performance.now();
      latencies.push(nowMs - beforeMs);
      if (!answer.startsWith(status, 9)) throw new Error(`expected ${status}, got ${answer.split('\r\n')[0]}`);
      if (pattern !== undefined) collected.push(pattern.exec(answer)?.[1] ?? '');
    }
  };
  await Promise.all(lines.map(loop));
  const took = (performance.now() - startMs) / 1000;
  for (const line of lines) line.close();
  const sorted = Float64Array.from(latencies).sort();
  return { requests: latencies.length, seconds: took, p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99), collected };
}

answerWith(work);
tell({});
