import type { ReferenceServerOptions, RunningServer, ServerFixtures, StartOptions, User } from '../../../reference-server/index.js';
import { type Args, CallError, command } from '../command.js';
import { givenSpec, givenUsers, readUser, withFixtures } from '../given.js';
import type { Io } from '../io.js';
import { logExchanges, logForm, openInBrowser } from '../serving.js';

export const serve = command({
  name: 'serve',
  summary: 'Run the reference server.',
  text: 'Prints its address and, on a terminal, every request. Ends on SIGINT and SIGTERM, and together with the npx that started it.',
  examples: [
    ['hydrauth serve --port 8080 --user 1:secret --collection people', 'A server to write a client against.'],
    ['hydrauth serve --port 0 --clock manual --json', 'A server for a script: free port, clock under control.'],
    ['hydrauth serve --clock manual --open', 'Watch what a client does.'],
    [
      'hydrauth serve --port 0 --clock manual --control --exit-with-parent --json',
      'A server for a test: controlled over HTTP, and ended with the test.',
    ],
  ],
  exitCodes: { 0: 'Ended by a signal.', 2: 'The call is wrong, or it cannot listen there.', 3: 'Its store cannot be reached.' },
  async run(args, io) {
    const { defaultUsers, startReferenceServer } = await import('../../../reference-server/index.js');
    const users = givenUsers(args, io).map(readUser);
    const { faults: _faults, variants: _variants, users: _users, ...given } = args.options<StartOptions>();
    const base: ReferenceServerOptions = { ...given, ...(users.length === 0 ? {} : { users }), spec: await givenSpec(args, io) };
    const { options, differs } = await withFixtures(args, base);
    const form = logForm(args, io);
    const server = await startReferenceServer({ ...base, ...steered(args, form !== 'off') }, await fixturesFor(args)).catch(
      (error: unknown) => {
        throw explained(error as NodeJS.ErrnoException, base);
      },
    );
    io.out(
      args.flag('json') ? `${JSON.stringify(line(server))}\n` : welcome(server, options.users ?? defaultUsers, base, differs, io.self),
    );
    if (args.flag('open')) await open(server, io);
    const ended = new AbortController();
    const logging = logExchanges(server, form, io, ended.signal);
    await end(args, io);
    await server.close();
    ended.abort();
    await logging;
    return 0;
  },
});

async function open(server: RunningServer, io: Io): Promise<void> {
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
  const builtIn = given.users === undefined;
  const shown = users.map(({ id, paraphrase }) => (builtIn ? `${id}:${paraphrase}` : String(id)));
  const words = shown.map((user) => `'${user.replaceAll("'", "'\\''")}'`);
  const clock = server.clockUrl === null ? '' : ` --clock ${server.clockUrl}`;
  return [
    `The reference server listens at ${server.url}\n`,
    differs,
    `Collections: ${server.collections.join(', ')}\n`,
    `Users${builtIn ? ' (built in)' : ''}: ${shown.join(', ') || 'none'}\n`,
    ...(server.clockUrl === null ? [] : [`Clock: ${server.clockUrl}\n`]),
    ...(builtIn && users.length > 0
      ? [`Judge it: ${self} check ${server.url} --collection ${server.collections.join(' ')} --user ${words.join(' ')}${clock}\n`]
      : []),
    ...(server.control === null ? [] : [`Control: ${server.control.url} with the token ${server.control.token}\n`]),
    ...(server.page === null ? [] : [`Page: ${server.page}\n`]),
  ].join('');
}
