import { openFolder, type Result, resultOf, type Service, writeService } from '../fleet/index.js';
import { jsonReport, type Report, timeWords, verdictWords } from '../report/index.js';
import type { Io } from './io.js';
import { progressLine } from './progress.js';

const verdictWidth = Math.max(...Object.values(verdictWords).map(({ length }) => length));

/** Writes and tells each service as it ends, and on a terminal what is going on. */
export function endings(services: readonly Service[], output: string, io: Io) {
  const progress = progressLine(io, 'starting');
  const results: Result[] = [];
  const nameWidth = Math.min(40, Math.max(...services.map(({ name }) => name.length)));
  const going = (what: string) => progress.show({ done: results.length, total: services.length, what });
  return {
    results,
    begin: () => openFolder(output),
    going,
    end(service: Service, report: Report) {
      const result = resultOf(service, report);
      writeService(output, result, jsonReport(report));
      results.push(result);
      const { name, verdict, exitCode, sentence, durationMs } = result;
      const line = `${verdictWords[verdict].padEnd(verdictWidth)}  ${name.padEnd(nameWidth)}  ${timeWords(durationMs)}${exitCode === 0 ? '' : `  ${sentence}`}`;
      if (io.isTTY) io.err('\r\u001b[2K');
      io.out(`${line}\n`);
      going(name);
    },
    close: progress.clear,
  };
}
