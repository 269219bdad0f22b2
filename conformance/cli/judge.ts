import type { ClientConformanceOptions } from '../client/index.js';
import type { Report } from '../report/index.js';
import type { ConformanceOptions } from '../run/index.js';
import type { Args } from './command.js';
import { forPeople, tryToWrite, writeBaseline, writeReports } from './files.js';
import { asStarted, Interrupted, type Io } from './io.js';
import { progressLine } from './progress.js';

/** Begins to load Newman in a process of its own, which takes longer than loading all the rest. */
export async function warmNewman(): Promise<void> {
  (await import('../postman/newman/index.js')).warmNewman();
}

type Run = (following: Pick<ConformanceOptions, 'signal' | 'onProgress'>) => Promise<Report>;

/** Judges a service. */
export function serviceRun(options: ConformanceOptions): Run {
  return async (following) => {
    if (options.engine !== 'laws' && options.auth !== 'off') await warmNewman();
    const { runConformance } = await import('../run/index.js');
    return runConformance({ ...options, ...following });
  };
}

/** Judges a client. */
export function clientRun(options: ClientConformanceOptions): Run {
  return async (following) => {
    const { runClientConformance } = await import('../client/index.js');
    return runClientConformance({ ...options, ...following });
  };
}

/** Judges, prints the report, writes the files asked for, and gives the exit code. */
export async function judge(run: Run, args: Args, io: Io, written?: readonly string[]): Promise<number> {
  tryToWrite(args, io, written);
  return exitCodeAfterWriting(await runAndPrint(run, args, io), args, io);
}

/** Runs the suite with a line that shows how far it is, and prints its report. */
export async function runAndPrint(run: Run, args: Args, io: Io, json = args.text('json')): Promise<Report> {
  const progress = progressLine(io);
  const report = await run({ signal: io.signal, onProgress: progress.show }).finally(progress.clear);
  forPeople(args, io).out(await inTerminal(report, args, io, json));
  return report;
}

/** A report as this terminal, or this pipe, shows it. `json` is the file that it stands in. */
export async function inTerminal(report: Report, args: Args, io: Io, json = args.text('json')): Promise<string> {
  const { terminalReport } = await import('../report/index.js');
  const { colour, width, isTTY } = io;
  const text = terminalReport(report, { colour, width, verbose: args.flag('verbose'), whole: !isTTY, json, html: args.text('html') });
  return asStarted(text, io);
}

/** Writes the files asked for and gives the exit code of a report that was printed. */
export async function exitCodeAfterWriting(report: Report, args: Args, io: Io): Promise<number> {
  const { exitCode } = await import('../report/index.js');
  const written = [await writeReports(report, args, io), await writeBaseline(report, args, io)].every(Boolean);
  const code = exitCode(report);
  // A report that was asked for and is not there must not look like success.
  return interruptedCode(io) ?? (code === 0 && !written ? 3 : code);
}

/** The exit code of a run that was interrupted and could still print its report. */
export function interruptedCode({ signal }: Pick<Io, 'signal'>): number | undefined {
  if (!signal.aborted) return undefined;
  return signal.reason instanceof Interrupted ? signal.reason.exitCode : 130;
}
