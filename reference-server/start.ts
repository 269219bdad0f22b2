import type { Server } from '@hapi/hapi';
import { type ClockControl, startClockControl } from './clock-control.js';
import { OptionError } from './errors.js';
import { type ReferenceServerOptions, readOptions } from './options.js';
import { type Clock, isManual, type ManualClock } from './parts/index.js';
import type { RecordedExchange } from './recorder.js';
import { assemble } from './server.js';
import { type User, validUser } from './users.js';

/** A reference server that listens. */
export interface RunningServer {
  /** The base URL, without a slash at the end. */
  readonly url: string;
  readonly clock: Clock | ManualClock;
  /** Where the clock contract is spoken; null when the clock cannot be moved. */
  readonly clockUrl: string | null;
  readonly collections: readonly string[];
  /** Ids only. */
  readonly users: readonly number[];
  readonly hapi: Server;
  /** The last exchanges, oldest first, without secrets. */
  readonly recorded: readonly RecordedExchange[];
  /** A valid token of the user with this id, or of the first one. */
  issueToken(user?: number): Promise<string>;
  addUser(user: User): Promise<void>;
  /** As after the start: the first users, no tokens, no exchanges; nonces issued before are dead. The clock stays. */
  reset(): Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a reference server on a free port, or as the options say. */
export async function startReferenceServer(options?: ReferenceServerOptions): Promise<RunningServer> {
  const settings = readOptions(options);
  const { server, parts, store, recorder, bases } = assemble(settings);
  const { clock } = parts;
  const ids = new Set(settings.users.map((user) => user.id));
  try {
    await server.start();
  } catch (error) {
    await store.close();
    throw error;
  }
  const origin = `http://${reachable(settings.host)}:${server.info.port}`;
  bases.listensAt(origin);
  let control: ClockControl | undefined;
  let closing: Promise<void> | undefined;

  const close = () => {
    closing ??= Promise.all([control?.close(), server.stop({ timeout: settings.limits.closeMs })]).then(() => {});
    return closing;
  };
  try {
    if (settings.clockControl && isManual(clock)) control = await startClockControl(clock);
  } catch (error) {
    await close();
    throw error;
  }

  return {
    url: bases.own.url,
    clock,
    clockUrl: control?.url ?? null,
    collections: settings.collections,
    get users() {
      return [...ids];
    },
    hapi: server,
    get recorded() {
      return recorder.read();
    },
    async issueToken(user = settings.users[0]?.id) {
      if (user === undefined || !ids.has(user)) {
        throw new OptionError('issueToken', `there is no user ${String(user)}; there are ${[...ids].join(', ') || 'none'}`);
      }
      return parts.tokens.issue(user, parts);
    },
    async addUser(user) {
      const valid = validUser(user, 'addUser');
      await store.putUser(valid);
      ids.add(valid.id);
    },
    async reset() {
      await store.reset();
      ids.clear();
      for (const { id } of settings.users) ids.add(id);
      recorder.clear();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** An address that clients on this machine can use, where the server listens on all. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
