import { resolve } from 'node:path';
import type { ClientConformanceOptions } from '../../client/index.js';
import type { Report, ReportCheck, ReportClient } from '../../report/index.js';
import type { ConformanceOptions } from '../../run/index.js';
import { type Args, CallError, type Command, onlyGiven } from '../command.js';
import type { Io } from '../io.js';
import { nearest } from '../nearest.js';
import { givenSpec, specOption } from '../profile.js';
import { certificateOptions, headerOption, verboseOption } from '../shared-options.js';

const shownIds = 10;

interface Failure {
  readonly requirement: string;
  readonly check: ReportCheck;
}

export const replay: Command = {
  name: 'replay',
  summary: 'Run the failures of a report again.',
  text: 'With the seed and path that were recorded, against the same service; of a client, the scenarios again with the same command. A report holds no secrets: users come from --user, --users-file or HYDRAUTH_USERS.',
  positionals: [
    { name: 'report.json', text: 'A report written by check --json or check-client --json.', like: /\.json$/i },
    { name: 'CHECK', text: 'A check or requirement; without it, everything that failed.', optional: true },
  ],
  options: [
    { name: 'user', value: 'ID:PARAPHRASE', many: true, text: 'Authorised users of the service.' },
    { name: 'users-file', value: 'F', text: 'The same from a file, one a line.' },
    { name: 'clock', value: 'C', default: 'none', text: 'How to move the clock of the service, as for check.' },
    { name: 'timeout', value: 'MS', whole: [1, 3_600_000], text: 'How long to wait for one answer, in milliseconds.' },
    headerOption,
    ...certificateOptions,
    { name: 'curl', text: 'Print the curl scripts that repeat the failures by hand, and run nothing.' },
    specOption,
    verboseOption,
  ],
  examples: [
    { line: 'hydrauth replay report.json exchange.token-unique', text: 'One failure again.' },
    { line: 'hydrauth replay report.json --curl exchange.token-unique', text: 'The same by hand, with curl.' },
  ],
  exitCodes: [
    { code: 0, text: 'What failed no longer fails.' },
    { code: 1, text: 'It fails again.' },
    { code: 2, text: 'The call is wrong, or there is nothing to replay.' },
    { code: 3, text: 'No verdict.' },
    { code: 130, text: 'Interrupted.' },
  ],
  async run(args, io) {
    const [file = '', wanted] = args.positionals;
    const [{ readReport }, { interruptedCode, runAndPrint, runClientAndPrint }, { givenUsers }, { differenceOf, profileOf }] =
      await Promise.all([import('../../report/index.js'), import('../judge.js'), import('../users.js'), import('../../../spec/index.js')]);
    const recorded = readReport(resolve(io.cwd, file));
    const failures = chosen(recorded, file, wanted);
    if (args.flag('curl')) return printScripts(failures, io);
    const look = { verbose: args.flag('verbose'), json: file };
    const spec = await givenSpec(args, io);
    const difference = differenceOf(recorded.profile, profileOf(spec));
    // What was recorded under one profile and is repeated under another may fail, or pass, for that reason alone.
    if (difference !== undefined) io.err(`${file} was recorded under another profile: ${difference}. Give the same with --spec.\n`);
    const report =
      recorded.target.client === undefined
        ? await runAndPrint({ ...again(recorded, failures, givenUsers(args, io), args), spec }, io, look)
        : await runClientAndPrint({ ...clientAgain(recorded.target.client, failures, args), spec }, io, look);
    return interruptedCode(io) ?? verdict(failures, report, io);
  },
};

/** The failures to repeat: all of them, those of a requirement, or one check. */
function chosen(report: Report, file: string, wanted: string | undefined): readonly Failure[] {
  const failures = report.requirements.flatMap(({ id, checks }) =>
    checks.filter(({ outcome }) => outcome === 'fail').map((check) => ({ requirement: id, check })),
  );
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
    io.out(`# ${check.id}: ${(check.message ?? '').replace(/\s+/g, ' ')}\n${check.curl ?? '# No exchange shows it.\n'}\n`);
  return 0;
}

/** The same target, selection, seed and number of cases; the secrets are the caller's to give once more. */
function again({ target, kit, coverage }: Report, failures: readonly Failure[], users: readonly string[], args: Args): ConformanceOptions {
  const engines = new Set(failures.map(({ check }) => check.engine));
  const [engine] = engines;
  return {
    baseUrl: target.url,
    collections: target.collections,
    users,
    auth: target.auth,
    engine: engines.size === 1 ? (engine as 'laws' | 'postman') : 'all',
    clock: args.text('clock') ?? 'none',
    only: [...new Set(failures.map(({ requirement }) => requirement))],
    seed: failures[0]?.check.seed ?? kit.seed,
    runs: kit.runs,
    insecure: args.flag('insecure'),
    ...onlyGiven({
      strength: coverage?.strength as 2 | 3 | undefined,
      replay: casesOf(failures),
      timeoutMs: args.number('timeout'),
      headers: args.texts('header'),
      ca: args.text('ca'),
    }),
  };
}

/** The same client, with what showed the failures. */
function clientAgain({ way, command }: ReportClient, failures: readonly Failure[], args: Args): ClientConformanceOptions {
  if (command === undefined || (way !== 'command' && way !== 'driver'))
    throw new CallError(
      `the client of this report was ${way === 'watch' ? 'watched' : 'a function'}, and cannot be started again from here`,
    );
  return {
    [way]: command,
    only: [...new Set(failures.map(({ requirement }) => requirement))],
    ...onlyGiven({ timeoutMs: args.number('timeout') }),
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
