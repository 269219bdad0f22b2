import { exitCode, terminalReport } from '../report/index.js';
import { type ConformanceOptions, runConformance } from '../run/index.js';
import type { Args } from './command.js';
import { CallError } from './command.js';
import { Interrupted, type Io } from './io.js';
import { progressLine } from './progress.js';
import { writeReports } from './write-reports.js';

/** Codes of errors that are the caller's: options, baseline files, clocks. */
const callersMistakes = ['HYDRAUTH_OPTION', 'HYDRAUTH_INPUT_FILE', 'HYDRAUTH_CLOCK', 'HYDRAUTH_SPEC'];

/** Judges a target, prints the report, writes the files asked for, and gives the exit code. */
export async function judge(options: ConformanceOptions, args: Pick<Args, 'text'>, io: Io): Promise<number> {
  const progress = progressLine(io);
  const report = await runConformance({ ...options, signal: io.signal, onProgress: progress.show })
    .catch((error: unknown) => {
      const code = (error as { code?: string }).code ?? '';
      throw callersMistakes.includes(code) ? new CallError((error as Error).message) : error;
    })
    .finally(progress.clear);
  const strict = options.strict ?? false;
  io.out(terminalReport(report, { colour: io.colour, width: io.width }));
  const written = writeReports(report, args, io, strict);
  if (io.signal.aborted) return io.signal.reason instanceof Interrupted ? io.signal.reason.exitCode : 130;
  const code = exitCode(report, { strict });
  // A report that was asked for and is not there must not look like success.
  return code === 0 && !written ? 3 : code;
}
