import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { User } from '../../../reference-server/index.js';
import { reportFormats } from '../../option-table.js';
import { type Args, CallError, type Command, command, verdictCodes } from '../command.js';
import { forPeople, tryToWrite } from '../files.js';
import { givenSpec, givenUsers, readUser } from '../given.js';
import type { Io } from '../io.js';
import { exitCodeAfterWriting, inTerminal } from '../judge.js';

/** A signal is how these end, so that it is no interruption. */
const { 130: _, ...codes } = verdictCodes;

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
    ...codes,
    0: 'Ended by a signal; with --judge also: conformant.',
    1: `With --judge: ${verdictCodes[1].charAt(0).toLowerCase()}${verdictCodes[1].slice(1)}`,
    2: 'The call is wrong, or it cannot listen there.',
    3: 'No login worked; with --judge also: the traffic leaves more than a third of the MUSTs untested.',
  },
  async run(args, io) {
    const users = givenUsers(args, io);
    const [user] = users;
    if (user === undefined || users.length > 1)
      throw new CallError(`one user is needed, as --user ID:PARAPHRASE; there are ${users.length}`);
    const about = [...reportFormats, 'baseline', 'write-baseline', 'strict', 'verbose'].find(
      (name) => args.given(name) && (name !== 'json' || args.text(name) !== undefined),
    );
    if (about !== undefined && !args.flag('judge')) throw new CallError(`--${about} is about what --judge finds; give that, too`);
    return between(args, io, readUser(user));
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
    ...codes,
    0: 'Ended by a signal; conformant in what was seen.',
    2: 'The call is wrong, or it cannot listen there.',
    3: 'No verdict: no login of the client worked, or more than a third of the MUSTs that a watch can see stayed untested.',
  },
  run: (args, io) => between(args, io),
});

/** Stands between a client and its service until a signal comes. What is judged of both goes by way of a recording. */
async function between(args: Args, io: Io, user?: User): Promise<number> {
  const { openProxy } = await import('../../client/index.js');
  tryToWrite(args, io);
  const [baseUrl = ''] = args.positionals;
  const { users: _, baseline, strict = false, ...given } = args.options<Parameters<typeof openProxy>[0] & { users: unknown }>();
  const spec = await givenSpec(args, io);
  const held = { strict, ...(baseline && { baseline }) };
  const isJudged = user !== undefined && args.flag('judge');
  const folder = isJudged && given.record === undefined ? mkdtempSync(join(tmpdir(), 'hydrauth-')) : undefined;
  const record = folder === undefined ? given.record && resolve(io.cwd, given.record) : join(folder, 'traffic.har');
  const judged = async (files: string[]) => (await import('../../recorded/index.js')).judgeRecordings({ ...held, baseUrl, spec, files });
  try {
    const opened = await openProxy({
      ...{ ...given, baseUrl, spec, onProblem: (text: string) => io.err(`hydrauth proxy: ${text}\n`) },
      ...(user === undefined ? held : { user }),
      ...(record && { record }),
    }).catch((error: NodeJS.ErrnoException) => {
      if (error.syscall !== 'listen' && error.syscall !== 'getaddrinfo') throw error;
      const { host = '127.0.0.1', port } = given;
      throw new CallError(`it cannot listen on port ${port} of ${host} (${error.code}); give another --port${user ? '' : ' or --host'}`);
    });
    const { out } = forPeople(args, io);
    const does = user === undefined ? `Watching ${baseUrl}. Give the client` : `Logging in to ${baseUrl} as user ${user.id}. Use`;
    if (user !== undefined && args.given('json')) io.out(`${JSON.stringify({ url: opened.url, target: baseUrl })}\n`);
    else out(`${does} this base URL instead:\n${opened.url}\nEnd with Ctrl-C.\n`);
    if (!io.signal.aborted) await new Promise((done) => io.signal.addEventListener('abort', done, { once: true }));
    const { loginFailure, ...ended } = await opened.end();
    const report = isJudged && record !== undefined ? await judged([record]) : ended.report;
    if (report !== undefined) out(`\n${await inTerminal(report, args, io)}`);
    const code = report === undefined ? 0 : await exitCodeAfterWriting(report, args, { ...io, signal: new AbortController().signal });
    return code === 0 && loginFailure !== undefined ? 3 : code;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true });
  }
}
