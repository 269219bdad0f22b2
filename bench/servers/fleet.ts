import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type * as Fixtures from '../../fixtures/reference-server.js';
import { built } from '../build.js';
import { settingsOf, tell } from '../children.js';

/** Reference servers, each on a base path of its own, the first ones with a fault each; then one that never answers, one that takes 30 s, and one that dies. */
const { startReferenceServer } = (await import(built('fixtures', 'reference-server.js'))) as typeof Fixtures;
const { many, faults, ...settings } = settingsOf<{ many: number; faults: string[]; users: []; collections: [] }>();
const names = Array.from({ length: many }, (_, at) => `service-${String(at + 1).padStart(3, '0')}`);
const services = [];
for (const [at, name] of names.entries()) {
  const server = await startReferenceServer({ ...settings, recordLast: 0, basePath: `/${name}`, faults: faults.slice(at, at + 1) });
  services.push({ name, url: server.url });
  let left = at === many - 1 ? 50 : Number.POSITIVE_INFINITY;
  server.hapi.listener.on('request', () => --left === 0 && void server.close());
}
const slow = async (name: string, afterMs: number | undefined) => {
  const server = createServer((_, res) => afterMs !== undefined && setTimeout(() => res.end(), afterMs).unref());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  services.push({ name, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api` });
};
await slow('late', 30_000);
await slow('silent', undefined);
tell({ services });
