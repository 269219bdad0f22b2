import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { User } from '../../../reference-server/index.js';
import { openProxy } from '../../client/index.js';
import { reportFormats } from '../../option-table.js';
import { type Args, CallError } from '../command.js';
import { givenSpec, givenUsers, readUser } from '../given.js';
import type { Io } from '../io.js';
import { exitCodeAfterWriting, forPeople, inTerminal, tryToWrite } from '../reporting.js';

export async function proxy(args: Args, io: Io): Promise<number> {
  const users = givenUsers(args, io);
  const [user] = users;
  if (user === undefined || users.length > 1) throw new CallError(`one user is needed, as --user ID:PARAPHRASE; there are ${users.length}`);
  const about = [...reportFormats, 'baseline', 'write-baseline', 'strict', 'verbose'].find(
    (name) => args.given(name) && (name !== 'json' || args.text(name) !== undefined),
  );
  if (about !== undefined && !args.flag('judge')) throw new CallError(`--${about} is about what --judge finds; give that, too`);
  return between(args, io, readUser(user));
}

/** Stands between a client and its service until a signal comes. What is judged of both goes by way of a recording. */
export async function between(args: Args, io: Io, user?: User): Promise<number> {
  tryToWrite(args, io);
  const [baseUrl = ''] = args.positionals;
  const { users: _, baseline, strict = false, ...given } = args.options<Parameters<typeof openProxy>[0] & { users: unknown }>();
  const spec = givenSpec(args, io);
  const held = { strict, ...(baseline && { baseline }) };
  const isJudged = user !== undefined && args.flag('judge');
  const folder = isJudged && given.record === undefined ? mkdtempSync(join(tmpdir(), 'hydrauth-')) : undefined;
  const record = folder === undefined ? given.record && resolve(io.cwd, given.record) : join(folder, 'traffic.har');
  const judged = async (files: string[]) => (await import('../../recorded/index.js')).judgeRecordings({ ...held, baseUrl, spec, files });
  try {
    const opened = await openProxy({
      ...{ ...given, baseUrl, spec, onProblem: (text: string) => io.err(`hydrauth ${user ? 'proxy' : 'watch'}: ${text}\n`) },
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
    if (!io.signal.aborted) await once(io.signal, 'abort');
    const { loginFailure, isRecorded, ...ended } = await opened.end();
    // In its place may be that of another day.
    if (isJudged && !isRecorded) return 3;
    const report = isJudged && record !== undefined ? await judged([record]) : ended.report;
    if (report !== undefined) out(`\n${inTerminal(report, args, io)}`);
    const code = report === undefined ? 0 : exitCodeAfterWriting(report, args, { ...io, signal: new AbortController().signal });
    return code === 0 && loginFailure !== undefined ? 3 : code;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true });
  }
}
