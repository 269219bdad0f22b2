import { resolve } from 'node:path';
import { InputFileError, type Report, type ReportCheck, readReport, terminalReport } from '../report/index.js';
import { type ConformanceOptions, OptionError, runConformance } from '../run/index.js';
import { type Args, CallError, type Run } from './command.js';
import { Interrupted, type Io } from './io.js';
import { progressLine } from './progress.js';
import { givenUsers } from './users.js';

interface Failure {
  readonly requirement: string;
  readonly check: ReportCheck;
}

export const run: Run = async (args, io) => {
  const [file = '', wanted] = args.positionals;
  const recorded = read(resolve(io.cwd, file));
  const failures = chosen(recorded, file, wanted);
  const progress = progressLine(io);
  const report = await runConformance({ ...again(recorded, failures, args, io), onProgress: progress.show })
    .catch((error: unknown) => {
      throw error instanceof OptionError ? new CallError(error.message) : error;
    })
    .finally(progress.clear);
  io.out(terminalReport(report, { colour: io.colour, width: io.width }));
  if (io.signal.aborted) return io.signal.reason instanceof Interrupted ? io.signal.reason.exitCode : 130;
  return verdict(failures, report, io);
};

function read(path: string): Report {
  try {
    return readReport(path);
  } catch (error) {
    throw error instanceof InputFileError ? new CallError(error.message) : error;
  }
}

/** The failures to repeat: all of them, those of a requirement, or one check. */
function chosen(report: Report, file: string, wanted: string | undefined): readonly Failure[] {
  const failures = report.requirements.flatMap(({ id, checks }) =>
    checks.filter(({ outcome }) => outcome === 'fail').map((check) => ({ requirement: id, check })),
  );
  const found = failures.filter(({ requirement, check }) => wanted === undefined || wanted === requirement || wanted === check.id);
  if (found.length > 0) return found;
  if (failures.length === 0) throw new CallError(`${file} records no failure; there is nothing to replay`);
  throw new CallError(`${file} records no failure of ${wanted}; it records ${failures.map(({ check }) => check.id).join(', ')}`);
}

/** The same target, selection, seed and number of cases; the secrets are the caller's to give once more. */
function again({ target, kit }: Report, failures: readonly Failure[], args: Args, io: Io): ConformanceOptions {
  const engines = new Set(failures.map(({ check }) => check.engine));
  const [engine] = engines;
  const timeoutMs = args.number('timeout');
  const ca = args.text('ca');
  const replay = casesOf(failures);
  return {
    baseUrl: target.url,
    collections: target.collections,
    users: givenUsers(args.texts('user'), args.text('users-file'), io),
    auth: target.auth,
    engine: engines.size === 1 && engine !== undefined ? engine : 'all',
    clock: args.text('clock') ?? 'none',
    only: [...new Set(failures.map(({ requirement }) => requirement))],
    seed: failures[0]?.check.seed ?? kit.seed,
    ...(replay === undefined ? {} : { replay }),
    runs: kit.runs,
    insecure: args.flag('insecure'),
    signal: io.signal,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(ca === undefined ? {} : { ca }),
  };
}

/** Where every failure names its case, only these are repeated; otherwise all that checks the requirement is. */
function casesOf(failures: readonly Failure[]): { check: string; path: string }[] | undefined {
  const cases = failures.flatMap(({ check }) => (check.path === null ? [] : [{ check: check.id, path: check.path }]));
  return cases.length === failures.length ? cases : undefined;
}

function verdict(failures: readonly Failure[], report: Report, io: Io): number {
  const outcomes = failures.map(({ requirement, check }) => {
    const checks = report.requirements.find(({ id }) => id === requirement)?.checks ?? [];
    // What was seen in passing may be seen by another check of the requirement now.
    if (checks.some(({ outcome }) => outcome === 'fail')) return 'fail';
    return checks.find(({ id }) => id === check.id)?.outcome ?? checks[0]?.outcome ?? 'untested';
  });
  const count = (outcome: string) => outcomes.filter((each) => each === outcome).length;
  io.out(`Replayed ${failures.length}: ${count('fail')} failed again, ${count('pass')} passed, ${count('untested')} untested.\n`);
  return count('fail') > 0 ? 1 : count('untested') > 0 ? 3 : 0;
}
