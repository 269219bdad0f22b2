import { createServer as createHttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, createServer } from 'node:net';
import { Writable } from 'node:stream';
import { droneApp } from '../../fixtures/hapi-app/app.js';
import { users as droneUsers } from '../../fixtures/hapi-app/database.js';
import { type ManualClock, startClockControl } from '../../reference-server/hapi.js';
import { defaultCollections, defaultUsers, type ReferenceServerOptions, startReferenceServer } from '../../reference-server/index.js';
import { RedisServer } from '../../reference-server/test/redis-server.js';
import { listening } from '../../spec/test/listening.js';
import type { ConformanceOptions } from '../index.js';

/** How a judge reaches a deployment, and how it is ended. */
export interface Deployed {
  readonly call: Pick<ConformanceOptions, 'baseUrl' | 'collections' | 'users' | 'clock'>;
  stop(): Promise<unknown>;
}

/** A deployment with a clock that the judge moves. */
export type Deploy = (clock: ManualClock, redisProgram: string) => Promise<Deployed>;

const balanced: Deploy = async (clock, program) => {
  const redis = await RedisServer.start(program);
  const { call, stop } = await twoInstances(clock, { store: redis.url });
  return { call, stop: () => stop().then(() => redis.stop('SIGKILL')) };
};

/** Every new connection goes to the other one. */
export async function twoInstances(clock: ManualClock, options: ReferenceServerOptions = {}): Promise<Deployed> {
  const first = await startReferenceServer({ clock, ...options });
  const second = await startReferenceServer({ clock, ...options, clockControl: false });
  let connections = 0;
  const balancer = createServer((near) => {
    const far = connect(Number(new URL((connections++ % 2 === 0 ? first : second).url).port), '127.0.0.1');
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  const { url, close } = await listening(balancer);
  const call = { collections: defaultCollections, users: defaultUsers, clock: first.clockUrl ?? 'none' };
  return { call: { baseUrl: `${url}/api`, ...call }, stop: () => Promise.all([close(), first.close(), second.close()]) };
}

/** Hands on a request, and its answer with every header as it is, those of the connection among them. */
export function passOn(near: IncomingMessage, answer: ServerResponse, to: string): void {
  const { method, headers } = near;
  const far = request(new URL(near.url ?? '', to), { method, headers }, (came) => {
    answer.writeHead(came.statusCode ?? 502, came.statusMessage, came.rawHeaders);
    came.pipe(answer);
  });
  far.on('error', () => answer.destroy());
  near.pipe(far);
}

const proxied: Deploy = async (clock) => {
  const server = await startReferenceServer({ clock });
  const { url, close } = await listening(createHttpServer((near, answer) => passOn(near, answer, server.url)));
  const call = { collections: defaultCollections, users: defaultUsers, clock: server.clockUrl ?? 'none' };
  return { call: { ...call, baseUrl: `${url}/api` }, stop: () => Promise.all([close(), server.close()]) };
};

const application: Deploy = async (clock) => {
  const server = await droneApp({ clock, log: new Writable({ write: (_chunk, _encoding, done) => done() }) });
  await server.start();
  const control = await startClockControl(clock);
  const call = { baseUrl: `${server.info.uri}/api`, collections: ['drones'], users: droneUsers, clock: control.url };
  return { call, stop: () => Promise.all([control.close(), server.stop()]) };
};

export const deployments: readonly (readonly [name: string, needsRedis: boolean, deploy: Deploy])[] = [
  ['two instances behind a balancer that changes at each connection', true, balanced],
  ['the memory store behind a plain proxy', false, proxied],
  ['the plugin in an application of its own', false, application],
];
