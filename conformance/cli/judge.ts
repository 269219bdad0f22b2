import type { ClientConformanceOptions } from '../client/index.js';
import type { Report } from '../report/index.js';
import type { ConformanceOptions } from '../run/index.js';
import type { Args } from './command.js';
import { Interrupted, type Io } from './io.js';
import { progressLine } from './progress.js';
import { reportOptions } from './shared-options.js';
import { tryToWrite } from './try-to-write.js';

/** Begins to load Newman in a process of its own, which takes longer than loading all the rest. */
export async function warmNewman(): Promise<void> {
  (await import('../postman/newman/index.js')).warmNewman();
}

/** Judges a target, prints the report, writes the files asked for, and gives the exit code. `also` writes more, and gives false if it cannot. */
export async function judge(options: ConformanceOptions, args: Args, io: Io, also = (_: Report) => true): Promise<number> {
  tryToWrite(args, io, reportOptions);
  if (options.engine !== 'laws' && options.auth !== 'off') await warmNewman();
  return exitCodeAfterWriting(await runAndPrint(options, io, lookOf(args)), args, io, also);
}

/** Judges a client, and the rest as for a service. */
export async function judgeClient(options: ClientConformanceOptions, args: Pick<Args, 'text' | 'flag'>, io: Io): Promise<number> {
  tryToWrite(args, io, reportOptions);
  return exitCodeAfterWriting(await runClientAndPrint(options, io, lookOf(args)), args, io);
}

/** How much of a report is printed, and the file that it is told to be in. */
interface Printed {
  readonly verbose?: boolean;
  readonly json?: string | undefined;
  readonly html?: string | undefined;
}

export const lookOf = (args: Pick<Args, 'text' | 'flag'>): Printed => ({
  verbose: args.flag('verbose'),
  json: args.text('json'),
  html: args.text('html'),
});

/** Writes the files asked for and gives the exit code of a report that was printed. */
export async function exitCodeAfterWriting(
  report: Report,
  args: Pick<Args, 'text'>,
  io: Io,
  also: (report: Report) => boolean = () => true,
): Promise<number> {
  const [{ exitCode }, { writeReports }] = await Promise.all([import('../report/index.js'), import('./write-reports.js')]);
  const written = [writeReports(report, args, io), also(report)].every(Boolean);
  const code = exitCode(report);
  // A report that was asked for and is not there must not look like success.
  return interruptedCode(io) ?? (code === 0 && !written ? 3 : code);
}

/** Runs the suite with a line that shows how far it is, and prints its report. */
export async function runAndPrint(options: ConformanceOptions, io: Io, look: Printed = {}): Promise<Report> {
  const { runConformance } = await import('../run/index.js');
  return print((following) => runConformance({ ...options, ...following }), io, look);
}

/** The same for a client. */
export async function runClientAndPrint(options: ClientConformanceOptions, io: Io, look: Printed = {}): Promise<Report> {
  const { runClientConformance } = await import('../client/index.js');
  return print((following) => runClientConformance({ ...options, ...following }), io, look);
}

async function print(
  run: (following: Pick<ConformanceOptions, 'signal' | 'onProgress'>) => Promise<Report>,
  io: Io,
  look: Printed,
): Promise<Report> {
  const progress = progressLine(io);
  const report = await run({ signal: io.signal, onProgress: progress.show }).finally(progress.clear);
  io.out(await inTerminal(report, io, look));
  return report;
}

/** A report as this terminal, or this pipe, shows it. */
export async function inTerminal(report: Report, { colour, width, isTTY }: Io, { verbose = false, json, html }: Printed): Promise<string> {
  const { terminalReport } = await import('../report/index.js');
  return terminalReport(report, { colour, width, verbose, whole: !isTTY, json, html });
}

/** The exit code of a run that was interrupted and could still print its report. */
export function interruptedCode({ signal }: Pick<Io, 'signal'>): number | undefined {
  if (!signal.aborted) return undefined;
  return signal.reason instanceof Interrupted ? signal.reason.exitCode : 130;
}
