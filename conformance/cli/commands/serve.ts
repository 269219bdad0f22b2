import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { platform } from 'node:os';
import {
  defaultUsers,
  type RecordedExchange,
  type ReferenceServerOptions,
  type RunningServer,
  type StartOptions,
  startReferenceServer,
  type User,
} from '../../../reference-server/index.js';
import { unicodeEscape } from '../../wire/index.js';
import { type Args, CallError } from '../command.js';
import { givenSpec, givenUsers, readUser, withFixtures } from '../given.js';
import type { Io } from '../io.js';

export async function serve(args: Args, io: Io): Promise<number> {
  const users = givenUsers(args, io).map(readUser);
  const { faults: _faults, variants: _variants, users: _users, ...given } = args.options<StartOptions>();
  const base: ReferenceServerOptions = { ...given, ...(users.length === 0 ? {} : { users }), spec: givenSpec(args, io) };
  const { options, differs } = await withFixtures(args, base);
  const form = args.text('log') ?? (io.isTTY && !args.flag('json') ? 'text' : 'off');
  const isWanted = ['fault', 'variant', 'control', 'page', 'open'].some((name) => args.given(name));
  const fixtures = isWanted ? await import('../../../fixtures/index.js') : undefined;
  const server = await startReferenceServer({ ...base, ...steered(args, form !== 'off') }, fixtures).catch((error) => {
    throw explained(error, base);
  });
  io.out(args.flag('json') ? `${JSON.stringify(line(server))}\n` : welcome(server, options.users ?? defaultUsers, base, differs, io.self));
  if (args.flag('open') && !(await openInBrowser(server.pageOnce() as string, io.env)))
    io.err(`hydrauth serve: no browser can be started; open ${server.page} yourself, or name one in BROWSER.\n`);
  const ended = new AbortController();
  const logging = form === 'off' ? undefined : logExchanges(server, form, io, ended.signal);
  if (!io.signal.aborted) await Promise.race([once(io.signal, 'abort'), ...(args.flag('exit-with-parent') ? [io.inputEnd()] : [])]);
  await server.close();
  ended.abort();
  await logging;
  return 0;
}

/** What is more than the server itself. Exchanges are recorded only where somebody can see them. */
function steered(args: Args, isLogged: boolean): StartOptions {
  const page = args.flag('page') || args.flag('open');
  const control = args.flag('control') || page;
  const steering = { faults: args.texts('fault'), variants: args.texts('variant'), control, page };
  return control || isLogged ? steering : { ...steering, recordLast: 0 };
}

/** What the caller can mend is a wrong call; anything else is passed on. */
function explained(error: NodeJS.ErrnoException, { port = 0, host = '127.0.0.1' }: ReferenceServerOptions): Error {
  const another = 'give another one, or 0 for any that is free';
  if (error.code === 'EADDRINUSE') return new CallError(`port ${port} of ${host} is in use; ${another}`);
  if (error.code === 'EACCES') return new CallError(`port ${port} of ${host} may not be used by this account; ${another}`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new CallError(`${host} is no address of this machine; give one, such as 127.0.0.1 or 0.0.0.0`);
  return error;
}

function line({ url, clockUrl, collections, users, control, page }: RunningServer) {
  const steering = control === null ? {} : { control: control.url, controlToken: control.token };
  return { url, clock: clockUrl, collections, users, ...steering, ...(page === null ? {} : { page }) };
}

/** Paraphrases are shown of built-in users only. */
function welcome(server: RunningServer, users: readonly User[], given: ReferenceServerOptions, differs: string, self: string): string {
  const { url, clockUrl, control, page } = server;
  const builtIn = given.users === undefined;
  const shown = users.map(({ id, paraphrase }) => (builtIn ? `${id}:${paraphrase}` : String(id)));
  const words = shown.map((user) => `'${user.replaceAll("'", "'\\''")}'`);
  const clock = clockUrl === null ? '' : ` --clock ${clockUrl}`;
  const call = `${self} check ${url} --collection ${server.collections.join(' ')} --user ${words.join(' ')}${clock}`;
  return [
    `The reference server listens at ${url}\n`,
    differs,
    `Collections: ${server.collections.join(', ')}\n`,
    `Users${builtIn ? ' (built in)' : ''}: ${shown.join(', ') || 'none'}\n`,
    clockUrl === null ? '' : `Clock: ${clockUrl}\n`,
    builtIn && users.length > 0 ? `Judge it: ${call}\n` : '',
    control === null ? '' : `Control: ${control.url} with the token ${control.token}\n`,
    page === null ? '' : `Page: ${page}\n`,
  ].join('');
}

/** Prints the exchanges as they happen, until the signal. */
async function logExchanges(server: RunningServer, form: string, io: Io, until: AbortSignal): Promise<void> {
  for await (const exchange of server.exchanges({ until })) {
    io.out(form === 'json' ? `${JSON.stringify(exchange).replace(/[^\x20-\x7e]/g, unicodeEscape)}\n` : logLine(exchange, io.colour));
  }
}

const colours = { A: 36, B: 32, C: 32, refused: 33, other: 35 } as const;

function logLine({ atMs, method, target, status, step, reason }: RecordedExchange, colour: boolean): string {
  const time = new Date(atMs).toISOString().slice(11, -1);
  const shown = `${status} ${step}`;
  // A target may hold what a terminal would obey.
  const asked = `${method} ${target}`.replace(/[^\x20-\x7e]/g, '?');
  return `${time} ${asked} ${colour ? `\u001b[${colours[step]}m${shown}\u001b[0m` : shown} ${reason}\n`;
}

/** The program that opens an address as the user likes it, by operating system. */
const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens an address in a browser: in the one that BROWSER names, or in the usual one. False when there is no program for it.
 * Other accounts of the machine can read the address in the list of processes, so what it holds must be good for one use only.
 */
async function openInBrowser(address: string, env: Io['env']): Promise<boolean> {
  const [program, ...args] = env['BROWSER'] ? [env['BROWSER']] : (openers[platform()] ?? ['xdg-open']);
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  child.unref();
  return once(child, 'spawn').then(
    () => true,
    () => false,
  );
}
