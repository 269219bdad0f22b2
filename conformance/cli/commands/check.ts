import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { reportFormats } from '../../option-table.js';
import type { ConformanceOptions } from '../../run/index.js';
import { type Args, CallError, command, verdictCodes } from '../command.js';
import { withConfig } from '../config.js';
import { givenSpec, givenUsers } from '../given.js';
import type { Io } from '../io.js';
import { judge, serviceRun } from '../judge.js';

export const check = command({
  name: 'check',
  summary: 'Judge the service at a base URL.',
  text: 'Runs every check against the service, using only its URL, and reports each requirement.',
  positionals: [
    {
      name: 'base-url',
      optional: true,
      text: 'Where the API begins, for example http://localhost:8080/api. It may stand in the file of --config.',
      like: /^https?:\/\//i,
    },
  ],
  examples: [
    ['hydrauth check http://localhost:8080/api --collection people --user 1:secret', 'Judge a service, without expiry.'],
    [
      'hydrauth check http://localhost:8080/api --collection people --clock faketime:offset.txt --html report.html',
      'Take users from HYDRAUTH_USERS, test expiry with libfaketime, and write an HTML report.',
    ],
    ['hydrauth check http://localhost:8080/api --collection people --json report.json', 'Keep the report, for the next two.'],
    [
      'hydrauth check http://localhost:8080/api --collection people --json report.json --last-failed',
      'Judge again only what failed in report.json, after a fix.',
    ],
    [
      'hydrauth check http://localhost:8080/api --collection people --json report.json --last-failed --watch src',
      'The same whenever a file in src changes.',
    ],
    [
      'hydrauth check http://localhost:8080/api --collection people orders --user=-7:secret --only token.sufficient',
      'A value that begins with a dash follows an equals sign.',
    ],
  ],
  exitCodes: {
    ...verdictCodes,
    3: 'No verdict: the service cannot be reached or the call does not fit it, no given user can log in and no violation explains it, the clock fails or stands still, or too much stayed untested: more than a third of the MUSTs or, with a budget, what keeps requests without credentials out.',
  },
  async run(called, io) {
    const args = withConfig(called, check, io.cwd);
    if (!args.given('watch')) return checkOnce(args, io);
    const { runAgain } = await import('../run-again.js');
    const [baseUrl = ''] = args.positionals;
    const watched = args.texts('watch').length > 0 ? args.texts('watch') : [baseUrl];
    const written = [...reportFormats, 'write-baseline'].flatMap((name) => args.text(name) ?? []);
    return runAgain(() => checkOnce(withConfig(called, check, io.cwd), io), { watched, written }, io);
  },
});

async function checkOnce(args: Args, io: Io): Promise<number> {
  const { isWaitedFor } = await import('../../clock/index.js');
  const [baseUrl] = args.positionals;
  if (baseUrl === undefined) throw new CallError('the base URL of the service is missing, such as http://localhost:8080/api');
  const spec = await givenSpec(args, io);
  faketimeFile(args.text('clock'), io.cwd);
  if (isWaitedFor(args.text('clock'))) {
    const { durationWords } = await import('../../../spec/index.js');
    const life = durationWords(spec.protocol.token.lifetimeMs);
    io.err(`With --clock wait the run takes as long as a token lives, ${life} and a little more.\n`);
  }
  const given = {
    collections: args.texts('collection'),
    ...args.options<ConformanceOptions>(),
    baseUrl,
    spec,
    users: givenUsers(args, io),
    ...(args.given('last-failed') ? { only: await lastFailed(args, io) } : {}),
  };
  return judge(serviceRun(given), args, io);
}

/** What failed in the report that this run will replace. */
async function lastFailed(args: Args, io: Io): Promise<string[]> {
  const file = args.text('last-failed') ?? args.text('json');
  if (file === undefined || file === '-') throw new CallError('--last-failed needs a report: --last-failed REPORT, or --json FILE');
  if (args.given('only')) throw new CallError('--last-failed and --only cannot be given together: both select what to judge');
  if (!existsSync(resolve(io.cwd, file)))
    throw new CallError(`--last-failed: there is no report ${file} yet; a run with --json ${file} and without --last-failed writes it`);
  const { readReport } = await import('../../report/index.js');
  const failed = readReport(resolve(io.cwd, file)).requirements.filter(({ outcome }) => ['fail', 'warn', 'flaky'].includes(outcome));
  if (failed.length === 0) io.err(`Nothing failed in ${file}, so everything is judged.\n`);
  return failed.map(({ id }) => id);
}

/** Without the file the service is not connected to it. A folder that is not there is told by the clock itself. */
function faketimeFile(clock: string | undefined, cwd: string): void {
  const file = /^faketime:(.+)$/.exec(clock ?? '')?.[1];
  const path = resolve(cwd, file ?? '');
  if (file !== undefined && existsSync(dirname(path)) && !existsSync(path))
    throw new CallError(`--clock: there is no file ${file}; write +0 to it, and start the service with it as FAKETIME_TIMESTAMP_FILE`);
}
