import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { didYouMean, leadsTo } from '../../../spec/index.js';
import * as fleets from '../../fleet/index.js';
import { jsonReport, oneLine, type Report, timeWords } from '../../report/index.js';
import { type Args, CallError } from '../command.js';
import type { Io } from '../io.js';
import { progressLine } from '../progress.js';
import { interruptedCode } from '../reporting.js';

const jobsOf = (args: Args) => args.number('jobs') ?? availableParallelism();

/** Judges the services of a file. */
export async function fleet(args: Args, io: Io): Promise<number> {
  const [call, queue, shard] = [fleetCall(args, io), args.text('queue'), givenShard(args)];
  const path = resolve(io.cwd, args.positionals[0] ?? '');
  const file = fleets.readFleetFile(path);
  if (fleets.overviewFiles.some((name) => leadsTo(join(call.output, name)) === leadsTo(path)))
    throw new CallError(`--output ${call.output} would overwrite ${path}; give another folder`);
  const chosen = selected(file.services, args.texts('only'));
  const services = shard === undefined ? chosen : fleets.shardOf(chosen, shard, call.kept?.past ?? []);
  const place = { folder: dirname(path), env: io.env, seed: args.number('seed') ?? randomInt(2 ** 31) };
  const check = queue === undefined ? fleets.checkService : fleets.checkForQueue;
  for (const service of services) check(file, service, place);
  const ended = endings(services, call.output, io);
  const judge = async () => {
    if (queue !== undefined) return fleets.collect(queue, services, args.number('seed'), ended, io.signal);
    const startedAt = new Date().toISOString();
    await fleets.judgeAll(services, place, jobsOf(args), ended, io.signal);
    return { seed: place.seed, startedAt, forget: async () => {} };
  };
  const { forget, ...run } = await judge().finally(ended.close);
  const part = shard === undefined ? {} : { shard: `${shard.index}/${shard.of}` };
  const code = finishFleet(fleets.fleetOf(ended.results, { ...run, ...part }), call, shard === undefined && !args.given('only'), io);
  await forget();
  return code;
}

/** Joins the shards of a run. */
export async function merge(args: Args, io: Io): Promise<number> {
  const folders = args.positionals.map((folder) => resolve(io.cwd, folder));
  const call = fleetCall(args, io);
  if (folders.map(leadsTo).includes(leadsTo(call.output)))
    throw new CallError(`--output ${call.output} is one of the folders to merge; give another one`);
  const { fleet: merged, textOf } = fleets.mergedRuns(folders);
  fleets.openFolder(call.output);
  for (const service of merged.services) fleets.writeService(call.output, service, textOf(service));
  return finishFleet(merged, call, true, io);
}

/** Judges what is in a queue. */
export async function work(args: Args, io: Io): Promise<number> {
  const queue = args.text('queue');
  if (queue === undefined) throw new CallError('--queue is missing: --queue redis://HOST:PORT names the queue');
  await fleets.work(queue, jobsOf(args), { folder: io.cwd, env: io.env }, (line) => io.out(`${line}\n`), io.signal);
  return interruptedCode(io) ?? 0;
}

function givenShard(args: Args): { index: number; of: number } | undefined {
  const text = args.text('shard');
  if (text === undefined) return undefined;
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index < 1 || index > of) throw new CallError(`--shard is ${text}; I/N is expected with I from 1 to N, such as 2/3`);
  if (!args.given('seed')) throw new CallError('--shard needs --seed N, the same for all shards, so that their services compare');
  return { index, of };
}

function selected(services: readonly fleets.Service[], only: readonly string[]): fleets.Service[] {
  const wordsOf = ({ name, tags }: fleets.Service) => [name, ...tags];
  const known = [...new Set(services.flatMap(wordsOf))];
  const unknown = only.find((word) => !known.includes(word));
  if (unknown !== undefined)
    throw new CallError(`--only: no service has the name or tag ${JSON.stringify(unknown)}.${didYouMean(unknown, known)}`);
  return services.filter((service) => only.length === 0 || wordsOf(service).some((word) => only.includes(word)));
}

/** What a call says of a run over a fleet; a history is read before anything is judged. */
function fleetCall(args: Args, { cwd }: Pick<Io, 'cwd'>) {
  const [output, history] = ['output', 'history'].map((name) => args.text(name));
  const onlyWorse = args.text('fail-on') === 'regression';
  if (output === undefined) throw new CallError('--output is missing: --output DIR names the folder to write');
  if (history === undefined && onlyWorse) throw new CallError('--fail-on regression needs --history DIR to compare with');
  const kept = history === undefined ? undefined : { folder: resolve(cwd, history), past: fleets.readHistory(resolve(cwd, history)) };
  return { output: resolve(cwd, output), kept, onlyWorse };
}

/** Writes and tells each service as it ends, and on a terminal what is going on. */
function endings(services: readonly fleets.Service[], output: string, io: Io) {
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
function finishFleet(fleet: fleets.Fleet, { output, kept, onlyWorse }: ReturnType<typeof fleetCall>, isWhole: boolean, io: Io): number {
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
  io.out(
    `\n${[`${fleets.summaryWords(fleet)}.`, compared, interrupted === undefined ? fleets.becauseWords(counted, code) : ''].filter(Boolean).join(' ')}\n`,
  );
  return interrupted ?? code;
}
