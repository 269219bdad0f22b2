import { createServer as createHttpServer, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { Writable } from 'node:stream';
import { server as hapi } from '@hapi/hapi';
import { droneApp } from '../../fixtures/hapi-app/app.js';
import { users as droneUsers } from '../../fixtures/hapi-app/database.js';
import { hydraAuth, type ManualClock, startClockControl } from '../../reference-server/hapi.js';
import { defaultCollections, defaultUsers, type ReferenceServerOptions, startReferenceServer } from '../../reference-server/index.js';
import { RedisServer } from '../../reference-server/test/redis-server.js';
import type { ConformanceOptions } from '../index.js';

/** How a judge reaches a deployment, and how it is ended. */
export interface Deployed {
  readonly call: Pick<ConformanceOptions, 'baseUrl' | 'collections' | 'users' | 'auth' | 'clock'>;
  stop(): Promise<unknown>;
}

/** A deployment with a clock that the judge moves, or with the system's. */
export type Deploy = (clock: ManualClock | undefined, redisProgram: string) => Promise<Deployed>;

const timed = (clock: ManualClock | undefined): ReferenceServerOptions => (clock === undefined ? {} : { clock });

const reference =
  (options: ReferenceServerOptions): Deploy =>
  async (clock) => {
    const server = await startReferenceServer({ ...timed(clock), ...options });
    const call = { collections: defaultCollections, users: defaultUsers, auth: options.auth ?? 'on', clock: server.clockUrl ?? 'none' };
    return { call: { baseUrl: server.url, ...call }, stop: () => server.close() };
  };

const withRedis: Deploy = async (clock, program) => {
  const redis = await RedisServer.start(program);
  const { call, stop } = await reference({ store: redis.url })(clock, program);
  return { call, stop: () => stop().then(() => redis.stop('SIGKILL')) };
};

const balanced: Deploy = async (clock, program) => {
  const redis = await RedisServer.start(program);
  const { call, stop } = await twoInstances(clock, { store: redis.url });
  return { call, stop: () => stop().then(() => redis.stop('SIGKILL')) };
};

/** Every new connection goes to the other one. */
export async function twoInstances(clock: ManualClock | undefined, options: ReferenceServerOptions = {}): Promise<Deployed> {
  const first = await startReferenceServer({ ...timed(clock), ...options });
  const second = await startReferenceServer({ ...timed(clock), ...options, clockControl: false });
  let connections = 0;
  const balancer = createServer((near) => {
    const far = connect(Number(new URL((connections++ % 2 === 0 ? first : second).url).port), '127.0.0.1');
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve));
  const { port } = balancer.address() as { port: number };
  const call = { collections: defaultCollections, users: defaultUsers, clock: first.clockUrl ?? 'none' };
  const stop = async () => {
    balancer.close();
    await Promise.all([first.close(), second.close()]);
  };
  return { call: { baseUrl: `http://127.0.0.1:${port}/api`, ...call }, stop };
}

/** It hands on every header as it is, those of the connection among them. */
const proxied: Deploy = async (clock, program) => {
  const { call, stop } = await reference({})(clock, program);
  const proxy = createHttpServer((near, answer) => {
    const { method, headers } = near;
    const far = request(new URL(near.url ?? '', call.baseUrl), { method, headers }, (came) => {
      answer.writeHead(came.statusCode ?? 502, came.headers);
      came.pipe(answer);
    });
    far.on('error', () => answer.destroy());
    near.pipe(far);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as { port: number };
  return { call: { ...call, baseUrl: `http://127.0.0.1:${port}/api` }, stop: () => Promise.all([proxy.close(), stop()]) };
};

/** The least that a Hapi application can be: one collection and the vocabulary. */
const bare: Deploy = async (clock) => {
  const server = hapi({ host: '127.0.0.1', port: 0 });
  const users = [
    { id: 1, paraphrase: 'open sesame' },
    { id: 2, paraphrase: 'pass:wörd 2' },
  ];
  await server.register({ plugin: hydraAuth, options: { users, basePath: '/api', ...(clock && { clock }) } });
  const context = { hydra: 'http://www.w3.org/ns/hydra/core#' };
  server.route({ method: 'GET', path: '/api/drones', handler: () => ({ '@context': context, '@type': 'hydra:Collection' }) });
  server.route({ method: 'GET', path: '/api/vocab', handler: () => ({ '@context': context, '@type': 'hydra:ApiDocumentation' }) });
  return judgedBeside(clock, server, users);
};

const application: Deploy = async (clock) => {
  const server = await droneApp({ ...(clock && { clock }), log: new Writable({ write: (_chunk, _encoding, done) => done() }) });
  return judgedBeside(clock, server, droneUsers);
};

async function judgedBeside(
  clock: ManualClock | undefined,
  server: Awaited<ReturnType<typeof droneApp>>,
  users: readonly { id: number; paraphrase: string }[],
): Promise<Deployed> {
  await server.start();
  const control = clock && (await startClockControl(clock));
  const call = { baseUrl: `${server.info.uri}/api`, collections: ['drones'], users, clock: control?.url ?? 'none' };
  return { call, stop: () => Promise.all([control?.close(), server.stop()]) };
}

export const deployments: readonly (readonly [name: string, needsRedis: boolean, deploy: Deploy])[] = [
  ['the memory store', false, reference({})],
  ['the Redis store', true, withRedis],
  ['two instances behind a balancer that changes at each connection', true, balanced],
  ['the memory store behind a plain proxy', false, proxied],
  ['the plugin in a bare Hapi server', false, bare],
  ['the plugin in an application of its own', false, application],
  ['authentication off', false, reference({ auth: 'off' })],
];
