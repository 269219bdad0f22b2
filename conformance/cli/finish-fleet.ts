import { resolve } from 'node:path';
import {
  becauseWords,
  compareWithHistory,
  type Fleet,
  keepRun,
  type PastRun,
  readHistory,
  summaryWords,
  worstCode,
  writeOverview,
} from '../fleet/index.js';
import { type Args, CallError } from './command.js';
import type { Io } from './io.js';
import { interruptedCode } from './judge.js';

/** The folder that a run is written to. */
export function outputFolder(args: Args, { cwd }: Pick<Io, 'cwd'>): string {
  const folder = args.text('output');
  if (folder === undefined) throw new CallError('--output is missing: --output DIR names the folder to write');
  return resolve(cwd, folder);
}

/** The address of the queue. */
export function givenQueue(args: Args): string | undefined {
  const url = args.text('queue');
  if (url !== undefined && !(/^rediss?:\/\//.test(url) && URL.canParse(url)))
    throw new CallError('--queue is no address of Redis; one such as redis://localhost:6379 is expected');
  return url;
}

/** The runs before this one, read before anything is judged. */
export function givenHistory(args: Args, { cwd }: Pick<Io, 'cwd'>): PastRun[] | undefined {
  const folder = args.text('history');
  if (folder === undefined && args.text('fail-on') === 'regression')
    throw new CallError('--fail-on regression needs --history DIR to compare with');
  return folder === undefined ? undefined : readHistory(resolve(cwd, folder));
}

/** Writes the overview, keeps a whole run in the history, says how it ended, and gives the exit code. */
export function finishFleet(fleet: Fleet, past: readonly PastRun[] | undefined, isWhole: boolean, args: Args, io: Io): number {
  const { sections, worse } = past === undefined ? { sections: [], worse: [] } : compareWithHistory(fleet, past, isWhole);
  const interrupted = interruptedCode(io);
  writeOverview(outputFolder(args, io), fleet, sections);
  if (past !== undefined && isWhole && interrupted === undefined) keepRun(resolve(io.cwd, args.text('history') ?? ''), fleet);
  const onlyWorse = args.text('fail-on') === 'regression';
  // What is no longer tested may leave a service conformant, and is worse all the same.
  const counted = onlyWorse ? worse.map((each) => ({ ...each, exitCode: each.exitCode || (1 as const) })) : fleet.services;
  const code = worstCode(counted);
  for (const { title, lines } of sections) io.out(`\n${title}\n${lines.map((line) => `  ${line}\n`).join('')}`);
  io.out(`\n${summaryWords(fleet)}. ${onlyWorse && code === 0 ? 'Nothing got worse.' : becauseWords(counted, code)}\n`);
  return interrupted ?? code;
}
