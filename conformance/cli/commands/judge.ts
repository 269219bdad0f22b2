import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { durationWords } from '../../../spec/index.js';
import type { ClientConformanceOptions } from '../../client/index.js';
import { isWaitedFor } from '../../clock/index.js';
import { reportFormats } from '../../option-table.js';
import { type Report, readReport } from '../../report/index.js';
import type { ConformanceOptions } from '../../run/index.js';
import { type Args, CallError } from '../command.js';
import { withConfig } from '../config.js';
import { givenSpec, givenUsers, withFixtures } from '../given.js';
import type { Io } from '../io.js';
import { progressLine } from '../progress.js';
import { exitCodeAfterWriting, forPeople, inTerminal, tryToWrite } from '../reporting.js';

type Run = (following: Pick<ConformanceOptions, 'signal' | 'onProgress'>) => Promise<Report>;

/** Judges a service. */
export function serviceRun(options: ConformanceOptions): Run {
  return async (following) => {
    if (options.engine !== 'laws' && options.auth !== 'off') await warmNewman();
    const { runConformance } = await import('../../run/index.js');
    return runConformance({ ...options, ...following });
  };
}

/** Begins to load Newman in a process of its own, which takes longer than loading all the rest. */
async function warmNewman(): Promise<void> {
  (await import('../../postman/newman/index.js')).warmNewman();
}

/** Judges a client. */
export function clientRun(options: ClientConformanceOptions): Run {
  return async (following) => (await import('../../client/index.js')).runClientConformance({ ...options, ...following });
}

/** Judges, prints the report, writes the files asked for, and gives the exit code. */
async function judge(run: Run, args: Args, io: Io, written?: readonly string[]): Promise<number> {
  tryToWrite(args, io, written);
  return exitCodeAfterWriting(await runAndPrint(run, args, io), args, io);
}

/** Runs the suite with a line that shows how far it is, and prints its report. */
export async function runAndPrint(run: Run, args: Args, io: Io, json = args.text('json')): Promise<Report> {
  const progress = progressLine(io);
  const report = await run({ signal: io.signal, onProgress: progress.show }).finally(progress.clear);
  forPeople(args, io).out(inTerminal(report, args, io, json));
  return report;
}

export async function check(called: Args, io: Io): Promise<number> {
  const args = withConfig(called, io.cwd);
  if (!args.given('watch')) return checkOnce(args, io);
  const { runAgain } = await import('../run-again.js');
  const [baseUrl = ''] = args.positionals;
  const watched = args.texts('watch').length > 0 ? args.texts('watch') : [baseUrl];
  const written = [...reportFormats, 'write-baseline'].flatMap((name) => args.text(name) ?? []);
  return runAgain(() => checkOnce(withConfig(called, io.cwd), io), { watched, written }, io);
}

async function checkOnce(args: Args, io: Io): Promise<number> {
  const [baseUrl] = args.positionals;
  if (baseUrl === undefined) throw new CallError('the base URL of the service is missing, such as http://localhost:8080/api');
  const spec = givenSpec(args, io);
  const clock = args.text('clock');
  const file = /^faketime:(.+)$/.exec(clock ?? '')?.[1];
  const path = resolve(io.cwd, file ?? '');
  // Without the file the service is not connected to it. A folder that is not there is told by the clock itself.
  if (file !== undefined && existsSync(dirname(path)) && !existsSync(path))
    throw new CallError(`--clock: there is no file ${file}; write +0 to it, and start the service with it as FAKETIME_TIMESTAMP_FILE`);
  const life = durationWords(spec.protocol.token.lifetimeMs);
  if (isWaitedFor(clock)) io.err(`With --clock wait the run takes as long as a token lives, ${life} and a little more.\n`);
  const options = { ...args.options<ConformanceOptions>(), baseUrl, spec, users: givenUsers(args, io) };
  const only = args.given('last-failed') ? { only: lastFailed(args, io) } : {};
  return judge(serviceRun({ collections: [], ...options, ...only }), args, io);
}

/** What failed in the report that this run will replace. */
function lastFailed(args: Args, io: Io): string[] {
  const file = args.text('last-failed') ?? args.text('json');
  if (file === undefined || file === '-') throw new CallError('--last-failed needs a report: --last-failed REPORT, or --json FILE');
  if (args.given('only')) throw new CallError('--last-failed and --only cannot be given together: both select what to judge');
  if (!existsSync(resolve(io.cwd, file)))
    throw new CallError(`--last-failed: there is no report ${file} yet; a run with --json ${file} and without --last-failed writes it`);
  const failed = readReport(resolve(io.cwd, file)).requirements.filter(({ outcome }) => ['fail', 'warn', 'flaky'].includes(outcome));
  if (failed.length === 0) io.err(`Nothing failed in ${file}, so everything is judged.\n`);
  return failed.map(({ id }) => id);
}

export async function checkClient(args: Args, io: Io): Promise<number> {
  const way = args.flag('driver') ? 'driver' : 'command';
  return judge(clientRun({ ...args.options<ClientConformanceOptions>(), spec: givenSpec(args, io), [way]: args.positionals }), args, io);
}

export async function demo(args: Args, io: Io): Promise<number> {
  const spec = givenSpec(args, io);
  await warmNewman();
  const { defaultCollections, defaultUsers, startReferenceServer } = await import('../../../reference-server/index.js');
  const base = { clock: 'manual', users: defaultUsers, collections: defaultCollections, spec } as const;
  const { options, differs } = await withFixtures(args, base);
  await using server = await startReferenceServer(options);
  forPeople(args, io).out(`A reference server listens at ${server.url}, with a clock at ${server.clockUrl}.\n${differs}\n`);
  const { users = defaultUsers, auth = 'on' } = options;
  const { record } = args.options<ConformanceOptions>();
  const target = { spec, baseUrl: server.url, collections: server.collections, users, auth, clock: server.clockUrl ?? 'none' };
  // Awaited here: the server is closed when this function returns.
  return await judge(serviceRun({ ...target, ...(record && { record }) }), args, io);
}

export async function judgeFiles(args: Args, io: Io): Promise<number> {
  // Large files leave much behind, of which V8 would let several times pile up of what is in use.
  setFlagsFromString('--heap-growing-percent=20');
  const spec = givenSpec(args, io);
  const files = args.positionals.map((file) => resolve(io.cwd, file));
  const run: Run = async ({ signal }) =>
    (await import('../../recorded/index.js')).judgeRecordings({ ...args.options(), spec, files, ...(signal && { signal }) });
  return judge(run, args, io, [...reportFormats, 'write-baseline']);
}
