import { resolve } from 'node:path';
import { nearest } from '../../../spec/nearest.js';
import type { ClientConformanceOptions } from '../../client/index.js';
import { reportFormats } from '../../option-table.js';
import type { Report, ReportCheck, ReportClient } from '../../report/index.js';
import type { ConformanceOptions } from '../../run/index.js';
import { type Args, CallError, command } from '../command.js';
import { forPeople, tryToWrite, writeReports } from '../files.js';
import { givenSpec, givenUsers } from '../given.js';
import type { Io } from '../io.js';
import { clientRun, interruptedCode, runAndPrint, serviceRun } from '../judge.js';

const shownIds = 10;

interface Failure {
  readonly requirement: string;
  readonly check: ReportCheck;
}

export const replay = command({
  name: 'replay',
  summary: 'Run the failures of a report again.',
  text: 'Repeats each recorded case against the same service; for a client, its scenarios. Reports contain no secrets, so give users with --user, --users-file or HYDRAUTH_USERS.',
  positionals: [
    { name: 'report.json', text: 'A report written by check --json or check-client --json.', like: /\.json$/i },
    { name: 'CHECK', text: 'A check or requirement; without it, everything that failed.', optional: true },
  ],
  behind: 'The command that starts the client, for a report of check-client.',
  examples: [
    ['hydrauth replay report.json exchange.token-unique', 'One failure again.'],
    ['hydrauth replay report.json --curl exchange.token-unique', 'The same by hand, with curl.'],
    ['hydrauth replay client.json -- python3 my_client.py', 'The failures of a client again.'],
  ],
  exitCodes: {
    0: 'What failed no longer fails.',
    1: 'It fails again.',
    2: 'The call is wrong, or there is nothing to replay.',
    3: 'No verdict.',
    130: 'Interrupted.',
  },
  async run(args, io) {
    const [file = '', wanted] = args.positionals;
    const { isFailure, readReport, visible } = await import('../../report/index.js');
    const { differenceOf, profileOf } = await import('../../../spec/index.js');
    tryToWrite(args, io, reportFormats);
    const recorded = readReport(resolve(io.cwd, file));
    const failures = chosen(recorded, isFailure, file, wanted);
    if (args.flag('curl')) return printScripts(failures, { out: (text) => io.out(visible(text)) });
    const spec = await givenSpec(args, io);
    const difference = differenceOf(recorded.profile, profileOf(spec));
    // What was recorded under one profile and is repeated under another may fail, or pass, for that reason alone.
    if (difference !== undefined)
      io.err(`${file} was recorded under another profile: ${visible(difference)}. Give the same with --spec.\n`);
    const run =
      recorded.target.client === undefined
        ? serviceRun({ ...again(recorded, failures, args), users: givenUsers(args, io), spec })
        : clientRun({ ...clientAgain(recorded.target.client, failures, args, visible), spec });
    const report = await runAndPrint(run, args, io, file);
    const isWritten = await writeReports(report, args, io);
    const code = verdict(failures, report, isFailure, forPeople(args, io));
    return interruptedCode(io) ?? (code === 0 && !isWritten ? 3 : code);
  },
});

/** The failures to repeat: all of them, those of a requirement, or one check. */
function chosen(report: Report, isFailure: (check: ReportCheck) => boolean, file: string, wanted: string | undefined): readonly Failure[] {
  const failures = report.requirements.flatMap(({ id, checks }) => checks.filter(isFailure).map((check) => ({ requirement: id, check })));
  const found = failures.filter(({ requirement, check }) => wanted === undefined || wanted === requirement || wanted === check.id);
  if (found.length > 0) return found;
  if (failures.length === 0) throw new CallError(`${file} records no failure; there is nothing to replay`);
  const ids = nearest(wanted ?? '', [...failures.map(({ requirement }) => requirement), ...failures.map(({ check }) => check.id)]);
  const more = ids.length > shownIds ? ` and ${ids.length - shownIds} more` : '';
  throw new CallError(`${file} records no failure of ${wanted}; it records ${ids.slice(0, shownIds).join(', ')}${more}`);
}

/** Every script, under the check that it repeats. */
function printScripts(failures: readonly Failure[], io: Pick<Io, 'out'>): number {
  for (const { check } of failures)
    io.out(`# ${check.id}: ${(check.message ?? '').replace(/\s+/g, ' ')}\n${check.curl ?? '# No request shows this failure.\n'}\n`);
  return 0;
}

/** The same target, selection, seed and number of cases; the secrets are the caller's to give once more. */
function again({ target, kit, coverage }: Report, failures: readonly Failure[], args: Args): ConformanceOptions {
  const engines = new Set(failures.map(({ check }) => check.engine));
  const [engine] = engines;
  const cases = casesOf(failures);
  return {
    ...args.options<ConformanceOptions>(),
    baseUrl: target.url,
    collections: target.collections,
    auth: target.auth,
    engine: engines.size === 1 ? (engine as 'laws' | 'postman') : 'all',
    // What came before it may be the cause of a failure that names no case, so that all of it is sent again.
    ...(cases === undefined ? {} : { only: requirementsOf(failures) }),
    seed: failures[0]?.check.seed ?? kit.seed,
    runs: kit.runs,
    ...(coverage === undefined ? {} : { strength: coverage.strength as 2 | 3 }),
    ...(cases === undefined ? {} : { replay: cases }),
  };
}

/** The same client, with what showed the failures. A report is data: what it names is not run unasked. */
function clientAgain(
  { way, command: recorded }: ReportClient,
  failures: readonly Failure[],
  args: Args,
  visible: (text: string) => string,
): ClientConformanceOptions {
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

/** Where every failure names its case, only these are repeated; otherwise the whole run is. */
function casesOf(failures: readonly Failure[]): { check: string; path: string }[] | undefined {
  const cases = failures.flatMap(({ check }) => (check.path === null ? [] : [{ check: check.id, path: check.path }]));
  return cases.length === failures.length ? cases : undefined;
}

function verdict(failures: readonly Failure[], report: Report, isFailure: (check: ReportCheck) => boolean, io: Io): number {
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
