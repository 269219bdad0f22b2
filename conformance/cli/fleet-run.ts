import { resolve } from 'node:path';
import * as fleets from '../fleet/index.js';
import { jsonReport, oneLine, type Report, timeWords } from '../report/index.js';
import { type Args, CallError } from './command.js';
import type { Io } from './io.js';
import { interruptedCode } from './judge.js';
import { progressLine } from './progress.js';

/** What a call says of a run over a fleet; a history is read before anything is judged. */
export function fleetCall(args: Args, { cwd }: Pick<Io, 'cwd'>) {
  const [output, history] = ['output', 'history'].map((name) => args.text(name));
  const onlyWorse = args.text('fail-on') === 'regression';
  if (output === undefined) throw new CallError('--output is missing: --output DIR names the folder to write');
  if (history === undefined && onlyWorse) throw new CallError('--fail-on regression needs --history DIR to compare with');
  const kept = history === undefined ? undefined : { folder: resolve(cwd, history), past: fleets.readHistory(resolve(cwd, history)) };
  return { output: resolve(cwd, output), kept, onlyWorse };
}

/** Writes and tells each service as it ends, and on a terminal what is going on. */
export function endings(services: readonly fleets.Service[], output: string, io: Io) {
  const progress = progressLine(io, 'starting');
  const results: fleets.Result[] = [];
  const width = Math.max(0, ...services.map(({ name }) => name.length));
  const going = (what: string) => progress.show({ done: results.length, total: services.length, what });
  const end = (service: fleets.Service, report: Report) => {
    const result = fleets.resultOf(service, report);
    fleets.writeService(output, result, jsonReport(report));
    results.push(result);
    const { name, word, exitCode, isWhole, sentence, durationMs } = result;
    if (io.isTTY) io.err('\r\u001b[2K');
    io.out(
      `${word.padEnd(14)}  ${name.padEnd(width)}  ${timeWords(durationMs)}${exitCode === 0 && isWhole ? '' : `  ${oneLine(sentence)}`}\n`,
    );
    going(name);
  };
  return { results, begin: () => fleets.openFolder(output), going, end, close: progress.clear };
}

/** Writes the overview, keeps a whole run in the history, says how it ended, and gives the exit code. */
export function finishFleet(
  fleet: fleets.Fleet,
  { output, kept, onlyWorse }: ReturnType<typeof fleetCall>,
  isWhole: boolean,
  io: Io,
): number {
  const nothing = { sections: [], worse: [], uncompared: [] };
  const { sections, worse, uncompared } = kept === undefined ? nothing : fleets.compareWithHistory(fleet, kept.past, isWhole);
  const interrupted = interruptedCode(io);
  fleets.writeOverview(output, fleet, sections);
  if (kept !== undefined && isWhole && interrupted === undefined) fleets.keepRun(kept.folder, fleet);
  // What is no longer tested may leave a service conformant, and is worse all the same.
  const worsened = worse.map((each) => ({ ...each, exitCode: each.exitCode || (1 as const) }));
  // What has neither an earlier result nor a verdict leaves nothing for the next run to compare with.
  const counted = onlyWorse ? [...worsened, ...uncompared.filter(({ exitCode }) => exitCode === 3)] : fleet.services;
  const code = fleets.worstCode(counted);
  for (const { title, lines } of sections) io.out(`\n${title}\n${lines.map((line) => `  ${oneLine(line)}\n`).join('')}`);
  const compared = onlyWorse
    ? fleets.comparedWords(fleet, uncompared, { isFirst: kept?.past.length === 0, isWorse: worse.length > 0 })
    : '';
  io.out(`\n${[`${fleets.summaryWords(fleet)}.`, compared, fleets.becauseWords(counted, code)].filter(Boolean).join(' ')}\n`);
  return interrupted ?? code;
}
