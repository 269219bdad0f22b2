import type { ReferenceServerOptions, RunningServer, ServerFixtures, StartOptions, User } from '../../../reference-server/index.js';
import { type Args, CallError, type Command, onlyGiven } from '../command.js';
import { logExchanges, logForm, logOption } from '../exchange-log.js';
import { fixtureOptions, withFixtures } from '../fixture.js';
import type { Io } from '../io.js';
import { givenSpec, specOption } from '../profile.js';

export const serve: Command = {
  name: 'serve',
  summary: 'Run the reference server.',
  text: 'Prints where it listens, on a terminal also what it is asked, and ends on SIGINT and SIGTERM, and when the npx is gone that started it.',
  positionals: [],
  options: [
    { name: 'port', value: 'N', whole: [0, 65_535], text: 'Port to listen on; 0 takes a free one.' },
    { name: 'host', value: 'H', text: 'Address to listen on.' },
    { name: 'base-path', value: 'P', text: 'Path of the base URL.' },
    { name: 'collection', value: 'NAME', many: true, text: 'Collections to serve.' },
    {
      name: 'user',
      value: 'ID:PARAPHRASE',
      many: true,
      text: 'Authorised users. Without any, those in HYDRAUTH_USERS, or a few built-in ones.',
    },
    { name: 'users-file', value: 'F', text: 'More of them from a file, one ID:PARAPHRASE a line.' },
    { name: 'auth', value: 'A', allowed: ['on', 'off'], default: 'on', text: 'Authentication for all requests.' },
    { name: 'tokens', value: 'T', allowed: ['on', 'off'], default: 'on', text: 'Token-based authorization within it.' },
    {
      name: 'clock',
      value: 'C',
      allowed: ['system', 'manual'],
      default: 'system',
      text: 'With manual, a listener of its own on loopback moves the clock of the server.',
    },
    { name: 'store', value: 'S', default: 'memory', text: 'Where nonces and tokens are kept: memory, or a redis:// URL.' },
    ...fixtureOptions,
    specOption,
    {
      name: 'control',
      text: 'Open a second listener, on loopback, to see and steer the server from a test in any language: hydrauth export control describes it.',
    },
    { name: 'page', text: 'Serve a page there that shows what happens. Includes --control.' },
    { name: 'open', text: 'Open the page in a browser. Includes --page.' },
    logOption,
    { name: 'exit-with-parent', text: 'End when standard input ends, which it does with the process that holds its other end.' },
    {
      name: 'json',
      text: 'Print one line of JSON as soon as connections are accepted, with url, clock, collections and users; with --control also control and controlToken, with --page also page.',
    },
  ],
  examples: [
    { line: 'hydrauth serve --port 8080 --user 1:secret --collection people', text: 'A server to write a client against.' },
    { line: 'hydrauth serve --port 0 --clock manual --json', text: 'A server for a script: free port, clock under control.' },
    { line: 'hydrauth serve --clock manual --open', text: 'Watch what a client does.' },
    {
      line: 'hydrauth serve --port 0 --clock manual --control --exit-with-parent --json',
      text: 'A server for a test: steered over HTTP, gone with the test.',
    },
  ],
  exitCodes: [
    { code: 0, text: 'Ended by a signal.' },
    { code: 2, text: 'The call is wrong, or it cannot listen there.' },
    { code: 3, text: 'Its store cannot be reached.' },
  ],
  async run(args, io) {
    const [{ defaultUsers, startReferenceServer }, { givenUsers, readUser }] = await Promise.all([
      import('../../../reference-server/index.js'),
      import('../users.js'),
    ]);
    const base = { ...serverOptions(args, givenUsers(args, io).map(readUser)), spec: await givenSpec(args, io) };
    const { options, differs } = await withFixtures(args, base);
    const form = logForm(args, io);
    const server = await startReferenceServer({ ...base, ...steered(args, form !== 'off') }, await fixturesFor(args)).catch(
      (error: unknown) => {
        throw explained(error as NodeJS.ErrnoException, base);
      },
    );
    io.out(args.flag('json') ? `${JSON.stringify(line(server))}\n` : welcome(server, options.users ?? defaultUsers, base, differs));
    if (args.flag('open')) await open(server, io);
    const ended = new AbortController();
    const logging = logExchanges(server, form, io, ended.signal);
    await end(args, io);
    await server.close();
    ended.abort();
    await logging;
    return 0;
  },
};

async function open(server: RunningServer, io: Io): Promise<void> {
  const { openInBrowser } = await import('../open-browser.js');
  if (!(await openInBrowser(server.pageOnce() as string, io.env)))
    io.err(`hydrauth serve: no browser can be started; open ${server.page} yourself, or name one in BROWSER.\n`);
}

/** A signal, or what else ends the server. */
async function end(args: Args, { signal, inputEnd }: Io): Promise<void> {
  const interrupted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  await (args.flag('exit-with-parent') ? Promise.race([interrupted, inputEnd()]) : interrupted);
}

/** What is more than the server itself. Exchanges are recorded only where somebody can see them. */
function steered(args: Args, isLogged: boolean): StartOptions {
  const page = args.flag('page') || args.flag('open');
  const control = args.flag('control') || page;
  return {
    faults: args.texts('fault'),
    variants: args.texts('variant'),
    control,
    page,
    ...(control || isLogged ? {} : { recordLast: 0 }),
  };
}

async function fixturesFor(args: Args): Promise<ServerFixtures | undefined> {
  const isWanted = ['fault', 'variant', 'control', 'page', 'open'].some((name) => args.given(name));
  return isWanted ? await import('../../../fixtures/index.js') : undefined;
}

function serverOptions(args: Args, users: readonly User[]): ReferenceServerOptions {
  const collections = args.texts('collection');
  return onlyGiven({
    port: args.number('port'),
    host: args.text('host'),
    basePath: args.text('base-path'),
    collections: collections.length === 0 ? undefined : collections,
    users: users.length === 0 ? undefined : users,
    auth: args.text('auth') as 'on' | 'off',
    tokens: args.text('tokens') as 'on' | 'off',
    clock: args.text('clock') as 'system' | 'manual',
    store: args.text('store'),
  });
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
function welcome(server: RunningServer, users: readonly User[], given: ReferenceServerOptions, differs: string): string {
  const builtIn = given.users === undefined;
  const shown = users.map(({ id, paraphrase }) => (builtIn ? `${id}:${paraphrase}` : String(id)));
  return [
    `The reference server listens at ${server.url}\n`,
    differs,
    `Collections: ${server.collections.join(', ')}\n`,
    `Users${builtIn ? ' (built in)' : ''}: ${shown.join(', ') || 'none'}\n`,
    ...(server.clockUrl === null ? [] : [`Clock: ${server.clockUrl}\n`]),
    ...(server.control === null ? [] : [`Control: ${server.control.url} with the token ${server.control.token}\n`]),
    ...(server.page === null ? [] : [`Page: ${server.page}\n`]),
  ].join('');
}
