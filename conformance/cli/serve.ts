import type { ReferenceServerOptions, RunningServer, User } from '../../reference-server/index.js';
import { CallError } from './command.js';
import { fixtureOptions } from './fixture.js';
import { givenUsers } from './users.js';

/** The options of `hydrauth serve` as they stand on the command line. */
export interface ServeOptions {
  readonly port?: string;
  readonly host?: string;
  readonly basePath?: string;
  readonly collection?: readonly string[];
  readonly user?: readonly string[];
  readonly usersFile?: string;
  readonly auth?: string;
  readonly tokens?: string;
  readonly clock?: string;
  readonly store?: string;
  readonly fault?: string;
  readonly variant?: string;
  readonly json?: boolean;
}

export interface ServeIo {
  out(text: string): void;
  err(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Aborted when the server is to end. */
  readonly signal?: AbortSignal;
}

const callIsWrong = 2;
const noStore = 3;

/** Where an option of the server has another name on the command line. */
const flags: Readonly<Record<string, string>> = { users: '--user', collections: '--collection', basePath: '--base-path' };

/** Runs the reference server until the signal is aborted, and gives the exit code. */
export async function serve(options: ServeOptions, io: ServeIo): Promise<number> {
  let server: RunningServer;
  let builtIn: readonly User[];
  try {
    const { defaultUsers, startReferenceServer } = await import('../../reference-server/index.js');
    const wanted = serverOptions(options, io);
    builtIn = wanted.users === undefined ? defaultUsers : [];
    server = await startReferenceServer(await fixtureOptions(options.fault, options.variant, wanted));
  } catch (error) {
    return complain(error as NodeJS.ErrnoException, options, io);
  }
  io.out(options.json === true ? `${JSON.stringify(line(server))}\n` : welcome(server, builtIn));
  await aborted(io.signal);
  await server.close();
  return 0;
}

function serverOptions(options: ServeOptions, io: ServeIo): ReferenceServerOptions {
  if (options.fault !== undefined && options.variant !== undefined)
    throw new CallError('--fault and --variant are given; one of them is allowed');
  const users = givenUsers(options.user ?? [], options.usersFile, { env: io.env, cwd: io.cwd ?? process.cwd() }).map(readUser);
  const { host, basePath, collection, auth, tokens, clock, store } = options;
  return {
    recordLast: 0,
    ...(options.port === undefined ? {} : { port: readPort(options.port) }),
    ...(host === undefined ? {} : { host }),
    ...(basePath === undefined ? {} : { basePath }),
    ...(collection === undefined || collection.length === 0 ? {} : { collections: collection }),
    ...(users.length === 0 ? {} : { users }),
    ...(auth === undefined ? {} : { auth: auth as 'on' | 'off' }),
    ...(tokens === undefined ? {} : { tokens: tokens as 'on' | 'off' }),
    ...(clock === undefined ? {} : { clock: clock as 'system' | 'manual' }),
    ...(store === undefined ? {} : { store }),
  };
}

function readPort(text: string): number {
  if (!/^[0-9]{1,5}$/.test(text) || Number(text) > 65_535)
    throw new CallError(`--port ${text} is no port; a whole number from 0 to 65535 is allowed`);
  return Number(text);
}

/** The paraphrase is never repeated in a complaint. */
function readUser(text: string): User {
  const colon = text.indexOf(':');
  const id = text.slice(0, Math.max(colon, 0));
  if (colon < 0 || !/^(?:0|-?[1-9][0-9]*)$/.test(id) || !Number.isSafeInteger(Number(id))) {
    throw new CallError(
      `a user has ${colon < 0 ? 'no colon' : `the id ${JSON.stringify(id)}`}; ID:PARAPHRASE with an integer as id is allowed`,
    );
  }
  if (colon === text.length - 1) throw new CallError(`user ${id} has no paraphrase; ID:PARAPHRASE is allowed`);
  return { id: Number(id), paraphrase: text.slice(colon + 1) };
}

function complain(error: NodeJS.ErrnoException, { port, host }: ServeOptions, io: ServeIo): number {
  const [code, text] = explain(error, port, host);
  io.err(`hydrauth serve: ${text}\n`);
  return code;
}

function explain(error: NodeJS.ErrnoException, port = '0', host = '127.0.0.1'): readonly [code: number, text: string] {
  if (error.code === 'EADDRINUSE') return [callIsWrong, `port ${port} of ${host} is in use; give another one, or 0 for any that is free`];
  if (error.code === 'EACCES')
    return [callIsWrong, `port ${port} of ${host} may not be used by this account; give another one, or 0 for any that is free`];
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return [callIsWrong, `${host} is no address of this machine; give one, such as 127.0.0.1 or 0.0.0.0`];
  if (error.code === 'HYDRAUTH_STORE') return [noStore, error.message];
  if (error.code === 'HYDRAUTH_OPTION')
    return [callIsWrong, error.message.replace(/^\w+(?=:)/, (option) => flags[option] ?? `--${option}`)];
  if (error instanceof CallError) return [callIsWrong, error.message];
  return [noStore, error.stack ?? error.message];
}

function line(server: RunningServer) {
  return { url: server.url, clock: server.clockUrl, collections: server.collections, users: server.users };
}

function welcome(server: RunningServer, builtIn: readonly User[]): string {
  const users = builtIn.length > 0 ? builtIn.map(({ id, paraphrase }) => `${id}:${paraphrase}`) : server.users.map(String);
  return [
    `The reference server listens at ${server.url}`,
    `Collections: ${server.collections.join(', ')}`,
    `Users${builtIn.length > 0 ? ' (built in)' : ''}: ${users.join(', ') || 'none'}`,
    ...(server.clockUrl === null ? [] : [`Clock: ${server.clockUrl}`]),
    '',
  ].join('\n');
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    else signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}
