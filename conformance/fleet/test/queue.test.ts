import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createClient, type RedisClientType } from 'redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../fixtures/test/needs.js';
import { RedisServer } from '../../../reference-server/test/redis-server.js';
import { calling, started as startedWith } from '../../cli/test/calling.js';
import { defaults, env, fleet, fleetFile, folder, serve } from './serving.js';

const program = needs('redis-server');
const children: ChildProcess[] = [];

/** A command in a process of its own. */
function started(...words: string[]) {
  const process = startedWith(words, env);
  children.push(process.child);
  return process;
}

describe.skipIf(program.skip)(`with a real Redis${program.note}`, () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await RedisServer.start(program.path);
    symlinkSync('/etc/hostname', join(folder, 'elsewhere'));
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await redis.stop();
  });

  test('nothing is lost or told twice when a worker and the collector are killed and Redis starts again', {
    timeout: 180_000,
  }, async () => {
    const names = ['a', 'b', 'c', 'd'];
    const urls = await Promise.all(names.map((name) => (name === 'd' ? serve('challenge-other-text') : serve())));
    // Slow enough that each is in the middle when something dies.
    const file = fleetFile(
      names.map((name, index) => ({ name, url: urls[index] })),
      'queued.json',
      { ...defaults, rate: 25 },
    );
    const output = join(folder, 'queued');
    const collector = () => started('fleet', file, '--output', output, '--queue', redis.url);
    const worker = () => started('work', '--queue', redis.url, '--jobs', '1');
    const killed = worker();
    const first = collector();
    await killed.printed(/Judging (\w)\n/);
    const client = createClient({ url: redis.url });
    await client.connect();
    const held = await Promise.all((await client.keys('bull:hydrauth-fleet:*-?')).map((key) => client.hGetAll(key)));
    expect(held).toHaveLength(names.length);
    expect(JSON.stringify(held)).not.toMatch(/correct horse|second secret/);
    const seeds = new Set(held.map(({ data }) => JSON.parse(String(data)).seed));
    client.destroy();
    killed.child.kill('SIGKILL');
    const others = [worker(), worker()];
    await first.printed(/^Conformant/m);
    first.child.kill('SIGKILL');
    await Promise.all([first.ended, killed.ended]);
    await redis.stop();
    await redis.start();
    const second = collector();
    expect((await second.ended).code).toBe(1);
    const { services, seed } = JSON.parse(readFileSync(join(output, 'fleet.json'), 'utf8'));
    expect(services.map(({ name, verdict }: Record<string, string>) => `${name} ${verdict}`)).toEqual(
      names.map((name) => `${name} ${name === 'd' ? 'non-conformant' : 'conformant'}`),
    );
    for (const name of names) expect(second.said.stdout.match(new RegExp(`onformant(?: in part)? +${name} `, 'g'))).toHaveLength(1);
    expect([...seeds]).toEqual([seed]);
    for (const { child } of others) child.kill('SIGTERM');
    expect(await Promise.all(others.map(async ({ ended }) => (await ended).code))).toEqual([143, 143]);
  });

  test('a worker that is stopped while it starts takes no job, and ends', async () => {
    expect((await calling(['work', '--queue', redis.url], { signal: AbortSignal.abort() })).out).toBe('');
  });

  /** A service that is put into the queue, and then something is done to its job. What comes of it, with a worker or without. */
  async function queued(name: string, change: (client: RedisClientType, key: string) => Promise<'completed' | 'failed' | 'for a worker'>) {
    const collector = fleet(fleetFile([{ name, url: await serve() }]), name, '--queue', redis.url);
    const client: RedisClientType = createClient({ url: redis.url });
    await client.connect();
    let key: string | undefined;
    while (key === undefined || (await client.hGet(key, 'data')) === null) [key] = await client.keys(`bull:hydrauth-fleet:*-${name}`);
    const state = await change(client, key);
    if (state !== 'for a worker') await client.zAdd(`bull:hydrauth-fleet:${state}`, { score: 1, value: key.split(':').at(-1) as string });
    const called = state === 'for a worker' ? await besideAWorker(collector) : await collector;
    await client.flushAll();
    client.destroy();
    return called;
  }

  async function besideAWorker<T>(collector: Promise<T>): Promise<T> {
    const end = new AbortController();
    const worker = calling(['work', '--queue', redis.url], { env, cwd: folder, signal: end.signal });
    const called = await collector;
    end.abort();
    await worker;
    return called;
  }

  test('a job that is none is told in a sentence', async () => {
    const { code, err } = await queued('mangled', async (client, key) => {
      await client.hSet(key, 'data', '\u001b]0;x\u0007{');
      return 'completed';
    });
    expect([code, err]).toEqual([3, expect.stringMatching(/^hydrauth fleet: the queue holds what hydrauth did not write: .*\n$/)]);
  });

  test('what a worker says went wrong is one line, and not longer than that', async () => {
    const { out, text } = await queued('wordy', async (client, key) => {
      await client.hSet(key, 'failedReason', `x\n## y${'z'.repeat(100_000)}`);
      return 'failed';
    });
    expect([out.length < 1000, /^## y/m.test(text('fleet.md'))]).toEqual([true, false]);
    expect(out).toContain('The workers failed: x');
  });

  test('a worker that lacks a variable says so in the report', async () => {
    const file = fleetFile([{ name: 'lacking', url: await serve(), users: [{ env: 'NOT_THERE' }] }]);
    const { code, out } = await besideAWorker(fleet(file, 'lacking', '--queue', redis.url));
    expect([code, out]).toEqual([3, expect.stringContaining('users: the environment variable NOT_THERE is not set.')]);
  });

  test.each<[string, object, unknown, string]>([
    ['a file elsewhere', { users: [{ file: '/etc/hostname' }] }, undefined, 'users: /etc/hostname is not in the folder of the worker'],
    ['a link that leads elsewhere', { users: [{ file: 'elsewhere' }] }, undefined, 'users: elsewhere is not in the folder of the worker'],
    ['a file to write', { record: 'notes.har' }, undefined, 'A worker runs no command and writes no file that came through a queue.'],
    ['a command to run', { clock: 'exec:date' }, undefined, 'A worker runs no command and writes no file that came through a queue.'],
    ['a report that is none', {}, gzipSync('{}').toString('base64'), 'the report of a worker: at /'],
    ['a report without end', {}, gzipSync(Buffer.alloc(65 * 1024 * 1024)).toString('base64'), 'Cannot create a Buffer larger than'],
    ['a report that only says how long it is', {}, { length: 2 ** 31 }, 'The workers failed: incorrect header check'],
    ['a name that leads elsewhere', { name: '../x' }, undefined, 'what the queue holds is no job of hydrauth fleet'],
  ])('a job that somebody else wrote: %s', async (_, more, report, said) => {
    const { code, out } = await queued('forged', async (client, key) => {
      const job = JSON.parse(String(await client.hGet(key, 'data')));
      const { name = 'forged', ...options } = more as { name?: string };
      const service = { ...job.service, name, options: { ...job.service.options, ...options } };
      await client.hSet(key, 'data', JSON.stringify({ ...job, service }));
      if (report === undefined) return 'for a worker';
      await client.hSet(key, 'returnvalue', JSON.stringify(report));
      return 'completed';
    });
    expect([code, out]).toEqual([3, expect.stringContaining(said)]);
  });
});

test.each([
  ['users by value', { users: ['1:hidden'] }, 2, /line \d+, services\[0\]\.users: with --queue these are given as/],
  ['a command as clock', { clock: 'exec:date' }, 2, /services\[0\]\.clock: with --queue no record and no clock of exec: or faketime:/],
  ['a file as clock', { clock: 'faketime:now' }, 2, /services\[0\]\.clock: with --queue no record/],
  ['a file to write', { record: 'run.har' }, 2, /services\[0\]\.record: with --queue no record/],
  ['a Redis that is not there', {}, 3, /the queue at 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/],
  ['what is no address', {}, 2, /--queue is no address of Redis/, 'localhost:hidden'],
])('%s', async (_, more, exitCode, message, queue = 'redis://user:hidden@127.0.0.1:1') => {
  const file = fleetFile([{ name: 'a', url: 'http://127.0.0.1:1', ...more }]);
  const { code, err } = await fleet(file, 'unqueued', '--queue', queue);
  expect([code, err]).toEqual([exitCode, expect.stringMatching(message)]);
  expect([err.includes('hidden'), existsSync(join(folder, 'unqueued'))]).toEqual([false, false]);
});
