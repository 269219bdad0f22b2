import { resolve } from 'node:path';
import { differenceOf, nearest, profileOf } from '../../../spec/index.js';
import type { ClientConformanceOptions } from '../../client/index.js';
import { reportFormats } from '../../option-table.js';
import { isFailure, type Report, type ReportClient, readReport, visible } from '../../report/index.js';
import type { ConformanceOptions } from '../../run/index.js';
import { type Args, CallError } from '../command.js';
import { givenSpec, givenUsers } from '../given.js';
import type { Io } from '../io.js';
import { exitCodeAfterWriting, forPeople, tryToWrite } from '../reporting.js';
import { clientRun, runAndPrint, serviceRun } from './judge.js';

const shownIds = 10;

type Failure = ReturnType<typeof chosen>[number];

export async function replay(args: Args, io: Io): Promise<number> {
  const [file = '', wanted] = args.positionals;
  tryToWrite(args, io, reportFormats);
  const recorded = readReport(resolve(io.cwd, file));
  const failures = chosen(recorded, file, wanted);
  if (args.flag('curl')) {
    for (const { id, message, curl } of failures.map(({ check }) => check))
      io.out(visible(`# ${id}: ${(message ?? '').replace(/\s+/g, ' ')}\n${curl ?? '# No request shows this failure.\n'}\n`));
    return 0;
  }
  const spec = givenSpec(args, io);
  const difference = differenceOf(recorded.profile, profileOf(spec));
  // What was recorded under one profile and is repeated under another may fail, or pass, for that reason alone.
  if (difference !== undefined) io.err(`${file} was recorded under another profile: ${visible(difference)}. Give the same with --spec.\n`);
  const run =
    recorded.target.client === undefined
      ? serviceRun({ ...again(recorded, failures, args), users: givenUsers(args, io), spec })
      : clientRun({ ...clientAgain(recorded.target.client, failures, args), spec });
  const report = await runAndPrint(run, args, io, file);
  return exitCodeAfterWriting(report, args, io, verdict(failures, report, forPeople(args, io)));
}

/** The failures to repeat: all of them, those of a requirement, or one check. */
function chosen(report: Report, file: string, wanted: string | undefined) {
  const failures = report.requirements.flatMap(({ id, checks }) => checks.filter(isFailure).map((check) => ({ requirement: id, check })));
  const found = failures.filter(({ requirement, check }) => wanted === undefined || wanted === requirement || wanted === check.id);
  if (found.length > 0) return found;
  if (failures.length === 0) throw new CallError(`${file} records no failure; there is nothing to replay`);
  const ids = nearest(wanted ?? '', [...failures.map(({ requirement }) => requirement), ...failures.map(({ check }) => check.id)]);
  const more = ids.length > shownIds ? ` and ${ids.length - shownIds} more` : '';
  throw new CallError(`${file} records no failure of ${wanted}; it records ${ids.slice(0, shownIds).join(', ')}${more}`);
}

/** The same target, selection, seed and number of cases; the secrets are the caller's to give once more. */
function again({ target, kit, coverage }: Report, failures: readonly Failure[], args: Args): ConformanceOptions {
  const engines = new Set(failures.map(({ check }) => check.engine));
  const [engine] = engines;
  const replay = failures.flatMap(({ check }) => (check.path === null ? [] : [{ check: check.id, path: check.path }]));
  return {
    ...args.options<ConformanceOptions>(),
    baseUrl: target.url,
    collections: target.collections,
    auth: target.auth,
    engine: engines.size === 1 ? (engine as 'laws' | 'postman') : 'all',
    seed: failures[0]?.check.seed ?? kit.seed,
    runs: kit.runs,
    ...(coverage === undefined ? {} : { strength: coverage.strength as 2 | 3 }),
    // What came before it may be the cause of a failure that names no case, so that all of it is sent again.
    ...(replay.length === failures.length ? { only: requirementsOf(failures), replay } : {}),
  };
}

/** The same client, with what showed the failures. A report is data: what it names is not run unasked. */
function clientAgain({ way, command: recorded }: ReportClient, failures: readonly Failure[], args: Args): ClientConformanceOptions {
  if (recorded === undefined || (way !== 'command' && way !== 'driver'))
    throw new CallError(
      `the client of this report was ${way === 'watch' ? 'watched' : 'a function'}, and cannot be started again from here`,
    );
  const words = args.behind.length > 0 ? args.behind : recorded;
  if (words === recorded && !args.flag('run-recorded-command'))
    throw new CallError(
      `the report was made with the command\n  ${visible(recorded.join(' '))}\nGive the command behind --, or --run-recorded-command to run this one.`,
    );
  return { [way]: words, only: requirementsOf(failures), timeoutMs: args.number('timeout') as number };
}

function requirementsOf(failures: readonly Failure[]): string[] {
  return [...new Set(failures.map(({ requirement }) => requirement))];
}

function verdict(failures: readonly Failure[], report: Report, io: Io): number {
  const outcomes = failures.map(({ requirement, check }) => {
    const checks = report.requirements.find(({ id }) => id === requirement)?.checks ?? [];
    // What was seen in passing may be seen by another check of the requirement now.
    if (checks.some(isFailure)) return 'fail';
    return checks.find(({ id }) => id === check.id)?.outcome ?? checks[0]?.outcome ?? 'untested';
  });
  const count = (outcome: string) => outcomes.filter((each) => each === outcome).length;
  io.out(`Replayed ${failures.length}: ${count('fail')} failed again, ${count('pass')} passed, ${count('untested')} untested.\n`);
  return count('fail') > 0 ? 1 : count('untested') > 0 ? 3 : 0;
}
