import { reportFormats } from '../../option-table.js';
import { type Args, CallError, type Command, command, verdictCodes } from '../command.js';
import { readUser } from '../given.js';
import type { Io } from '../io.js';

const positionals = [
  { name: 'base-url', text: 'The base URL of the service, for example http://localhost:8080/api.', like: /^https?:\/\//i },
] as const;

export const proxy = command({
  name: 'proxy',
  summary: 'Log in for tools that cannot, as a proxy in front of a service.',
  text: [
    'Listens on loopback and prints the address to use in place of the base URL. To every request it adds a token of the given user,',
    'and renews it before it expires or when it is refused. Without --user the user comes from HYDRAUTH_USERS. Ends on SIGINT (Ctrl-C) and SIGTERM.',
    'With --judge it then judges the traffic.',
  ].join(' '),
  positionals,
  examples: [
    ["HYDRAUTH_USERS='1:secret' hydrauth proxy http://localhost:8080/api --port 9000", 'Then: curl http://127.0.0.1:9000/api/people'],
    ['hydrauth proxy http://localhost:8080/api --user 1:secret --json', 'For a script: a free port, printed as JSON.'],
    ['hydrauth proxy http://localhost:8080/api --user 1:secret --judge --html report.html', 'Judge the traffic, too.'],
  ],
  exitCodes: {
    ...verdictCodes,
    0: 'Ended by a signal; with --judge, nothing that was seen violates a MUST.',
    2: 'The call is wrong, or it cannot listen there.',
    3: 'No login worked; with --judge also: nothing was seen that could be judged.',
  },
  async run(args, io) {
    const { givenUsers } = await import('../given.js');
    const users = givenUsers(args, io);
    const [user] = users;
    if (user === undefined || users.length > 1)
      throw new CallError(`one user is needed, as --user ID:PARAPHRASE; there are ${users.length}`);
    const idle = [...reportFormats, 'baseline', 'write-baseline', 'strict', 'only', 'skip', 'verbose'].filter(
      (name) => args.text(name) !== undefined || (name !== 'json' && args.given(name)),
    );
    if (idle[0] !== undefined && !args.flag('judge')) throw new CallError(`--${idle[0]} is about what --judge finds; give that, too`);
    return between(args, io, { user: readUser(user), judge: args.flag('judge') });
  },
});

export const watch: Command = command({
  name: 'watch',
  summary: 'Judge a client while you use it, as a proxy in front of its service.',
  text: [
    'Listens as a proxy in front of a service and prints the address to give to the client in place of the base URL.',
    'On SIGINT (Ctrl-C) or SIGTERM it judges what it has seen. What was not exercised is untested.',
    'Watch one client at a time: the login of a second client would look as if the first had lost its token.',
  ].join(' '),
  positionals,
  examples: [['hydrauth watch http://localhost:8080/api --port 9000', 'Then use the client with http://127.0.0.1:9000/api.']],
  exitCodes: {
    0: 'Ended by a signal; nothing that was seen violates a MUST.',
    1: 'A MUST was violated; with --strict also a SHOULD violated or a MUST not exercised.',
    2: 'The call is wrong, or it cannot listen there.',
    3: 'No verdict: nothing was seen that could be judged.',
  },
  run: (args, io) => between(args, io, { judge: true }),
});

/** Stands between a client and its service until a signal comes. */
async function between(args: Args, io: Io, as: { user?: ReturnType<typeof readUser>; judge: boolean }): Promise<number> {
  const [{ openProxy }, { forPeople, tryToWrite }, { givenSpec }, { inTerminal, exitCodeAfterWriting }] = await Promise.all([
    import('../../client/index.js'),
    import('../files.js'),
    import('../given.js'),
    import('../judge.js'),
  ]);
  tryToWrite(args, io);
  const [baseUrl = ''] = args.positionals;
  const { users: _, ...given } = args.options<Parameters<typeof openProxy>[0] & { users: unknown }>();
  const onProblem = (text: string) => io.err(`hydrauth proxy: ${text}\n`);
  const opened = await openProxy({ ...given, ...as, baseUrl, spec: await givenSpec(args, io), onProblem }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.syscall !== 'listen' && error.syscall !== 'getaddrinfo') throw error;
      const { host = '127.0.0.1', port } = given;
      throw new CallError(
        `it cannot listen on port ${port} of ${host} (${error.code}); give another --port${as.user === undefined ? ' or --host' : ''}`,
      );
    },
  );
  const { out } = forPeople(args, io);
  if (as.user !== undefined && args.given('json')) io.out(`${JSON.stringify({ url: opened.url, target: baseUrl })}\n`);
  else if (as.user === undefined) out(`Watching ${baseUrl}. Give the client this base URL instead:\n${opened.url}\nEnd with Ctrl-C.\n`);
  else out(`Logging in to ${baseUrl} as user ${as.user.id} for whoever uses this base URL instead:\n${opened.url}\nEnd with Ctrl-C.\n`);
  if (!io.signal.aborted) await new Promise((done) => io.signal.addEventListener('abort', done, { once: true }));
  const { report, loginFailure } = await opened.end();
  const failed = loginFailure === undefined ? 0 : 3;
  if (report === undefined) return failed;
  out(`\n${await inTerminal(report, args, io)}`);
  return failed || exitCodeAfterWriting(report, args, { ...io, signal: new AbortController().signal });
}
