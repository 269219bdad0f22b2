import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Fixtures from '../../fixtures/index.js';
import { type Bench, collections, users } from '../bench.js';
import { built, cli } from '../build.js';
import { startRedis } from '../redis-server.js';
import { figure } from '../result.js';

/** What a short run is sure to find, too. */
const broken =
  `date-missing date-missing-on-exchange link-missing-on-exchange link-to-another-host challenge-403 challenge-redirects challenge-200
challenge-keyed-error challenge-other-text challenge-more-members challenge-nested challenge-in-a-list`.split(/\s/);

/** How long a fleet takes with two jobs in one process, and with four workers on a Redis; some of its services are broken, hang or die. */
export async function measureFleet({ options, results, start, log }: Bench): Promise<void> {
  const many = options.quick ? 20 : 498;
  const { faults } = (await import(built('fixtures', 'index.js'))) as typeof Fixtures;
  const violated = faults.flatMap(({ id, violates }) => (broken.includes(id) ? violates : []));
  const expected = [...Array(many - 13).fill(0), 3, 3, 3, ...violated].sort().join();
  const accounts = users.map(({ id, paraphrase }) => ({ id: Number(id), paraphrase }));
  const { ready } = await start<{ services: object[] }>('servers/fleet.ts', { many, faults: broken, users: accounts, collections });
  const folder = mkdtempSync(join(tmpdir(), 'hydrauth-bench-'));
  const file = join(folder, 'fleet.json');
  const defaults = { collections, users: [{ env: 'FLEET_USERS' }], engine: 'laws', budget: 400, deadline: '1m' };
  writeFileSync(file, JSON.stringify({ defaults, services: ready.services }));
  const env = { ...process.env, NODE_OPTIONS: '', FLEET_USERS: users.map(({ id, paraphrase }) => `${id}:${paraphrase}`).join('\n') };
  const run = (...words: string[]) => spawn(process.execPath, [cli, ...words], { env, stdio: 'ignore' });
  const measure = async (name: string, what: string, ...words: string[]) => {
    log(name);
    const startedMs = performance.now();
    await once(run('fleet', file, '--output', join(folder, name), '--seed', '1', ...words), 'exit');
    const seconds = (performance.now() - startedMs) / 1000;
    const { services } = JSON.parse(readFileSync(join(folder, name, 'fleet.json'), 'utf8'));
    const found = services.flatMap(({ exitCode, failed }: { exitCode: number; failed: string[] }) =>
      failed.length > 0 ? failed : exitCode,
    );
    if (found.sort().join() !== expected) throw new Error(`${name}: ${found.join()} was found, not ${expected}`);
    results.figures.push(figure(name, `seconds for ${services.length} services, ${what}`, [seconds], { unit: 's' }));
  };
  await measure('fleetJobs', 'two at once in one process', '--jobs', '2');
  const redis = await startRedis();
  if (redis === undefined) return;
  const workers = [1, 2, 3, 4].map(() => run('work', '--queue', redis, '--jobs', '1'));
  await measure('fleetWorkers', 'four workers on a Redis', '--queue', redis).finally(() => workers.forEach((worker) => void worker.kill()));
}
