import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { count, leadsTo, makeFolder, spec } from '../../spec/index.js';
import { reportFormats } from '../option-table.js';
import * as reports from '../report/index.js';
import { type Args, CallError } from './command.js';
import { asStarted, Interrupted, type Io } from './io.js';

type Report = reports.Report;

/** Options that name a file to read. */
const inputs = ['baseline', 'config', 'users-file', 'spec', 'ca'];

/** As the name of a file; everything else is printed to standard error then. */
const standardOutput = '-';

/** Where a call prints what is meant for people: not where a report goes. */
export function forPeople(args: Args, io: Io, options: readonly string[] = reportFormats): Io {
  return options.some((name) => args.text(name) === standardOutput) ? { ...io, out: io.err } : io;
}

/** Makes sure, before anything takes long, that the files which these options name are different ones, are not read by the same call, and can be written, in folders that are made for them. */
export function tryToWrite(args: Args, { cwd }: Io, options: readonly string[] = [...reportFormats, 'write-baseline', 'record']): void {
  const whereIs = (file: string) => leadsTo(resolve(cwd, file));
  const read = new Map(args.positionals.map((file) => [whereIs(file), 'the call']));
  for (const name of inputs) if (args.given(name)) read.set(whereIs(args.text(name) ?? ''), `--${name}`);
  const named = new Map<string, string>();
  for (const name of options) {
    const file = args.text(name);
    if (file === undefined) continue;
    const path = file === standardOutput ? 'standard output' : whereIs(file);
    const other = named.get(path);
    if (other !== undefined) throw new CallError(`--${other} and --${name} both write to ${path}; give each a file of its own`);
    named.set(path, name);
    // A baseline may be written anew.
    const by = name === 'write-baseline' ? undefined : read.get(path);
    if (by !== undefined) throw new CallError(`--${name} would overwrite ${path}, which ${by} reads; give it a file of its own`);
  }
  for (const [path, name] of named) {
    const why = path === 'standard output' ? undefined : obstacle(path);
    if (why !== undefined) throw new CallError(`--${name} ${args.text(name)} cannot be written: ${why}`);
  }
}

/** Why a file cannot be written, after its folder was made where it was missing; undefined where it can. */
export function obstacle(path: string): string | undefined {
  const folder = dirname(path);
  try {
    makeFolder(folder);
  } catch (error) {
    return `the folder ${folder} cannot be made (${(error as NodeJS.ErrnoException).code})`;
  }
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory()) return 'it is a folder';
    // To open and close a pipe would end it for its reader.
    if (there !== undefined && !there.isFile()) return undefined;
    closeSync(openSync(path, 'a'));
    if (there === undefined) rmSync(path);
    return undefined;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

function write(file: string, text: string, { cwd, out }: Io): void {
  if (file === standardOutput) out(text);
  else reports.writeWhole(resolve(cwd, file), text);
}

/** Writes the file that this option names, if it is given. */
export function writeFileOf(name: string, text: string, args: Args, io: Io): void {
  const file = args.text(name);
  try {
    if (file !== undefined) write(file, text, io);
  } catch (error) {
    throw new CallError(`--${name} ${file} cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Writes every report that was asked for; gives false when one could not be written. `json` is where the report stands in JSON, if it does. */
export function writeReports(report: Report, args: Args, io: Io, json = args.text('json')): boolean {
  const { earlReport: earl, htmlReport: html, junitReport: junit, markdownReport: markdown } = reports;
  const writers = { json: reports.jsonReport, junit, earl, html, markdown };
  let isWritten = true;
  let standing = json === standardOutput ? undefined : json;
  // JSON comes first, because the others name its file.
  for (const name of reportFormats) {
    const file = args.text(name);
    if (file === undefined) continue;
    try {
      const text = writers[name](report, { json: standing });
      write(file, name === 'json' || name === 'earl' ? text : asStarted(text, io), io);
    } catch (error) {
      isWritten = false;
      if (file === json) standing = undefined;
      io.err(`hydrauth: --${name} ${file} could not be written (${(error as NodeJS.ErrnoException).code ?? (error as Error).message}).\n`);
    }
  }
  return isWritten;
}

/** Writes the entries that the next run needs to pass, if asked for; gives false when there are none to write or they cannot be written. */
function writeBaseline(report: Report, args: Args, io: Io): boolean {
  const file = args.given('write-baseline') ? args.text('write-baseline') : undefined;
  if (file === undefined) return true;
  const path = resolve(io.cwd, file);
  try {
    if (report.verdict === 'error' || report.verdict === 'incomplete') throw new Error('the run gave no verdict.');
    const { catalogue } = report.target.client === undefined ? spec : { catalogue: spec.clientCatalogue };
    const entries = reports.updatedEntries(report, reports.baselineOf(existsSync(path) ? path : [], catalogue));
    reports.writeWhole(path, `${reports.entriesText(entries)}\n`);
    const has = `has ${count(entries.length, 'entry', 'entries')} now. Say in each why the failure is accepted`;
    io.err(`${file} ${entries.length === 0 ? 'is an empty list now: nothing failed that it could accept' : has}.\n`);
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === undefined || code.startsWith('HYDRAUTH') ? message : `${code}.`;
    io.err(`hydrauth: --write-baseline ${file} was not written: ${why}\n`);
    return false;
  }
}

/** A report as this terminal, or this pipe, shows it. `json` is the file that it stands in. */
export function inTerminal(report: Report, args: Args, io: Io, json = args.text('json')): string {
  const { colour, width, isTTY } = io;
  const how = { colour, width, verbose: args.flag('verbose'), whole: !isTTY, json, html: args.text('html') };
  return asStarted(reports.terminalReport(report, how), io);
}

/** Writes the files asked for and gives the exit code of a report that was printed. */
export function exitCodeAfterWriting(report: Report, args: Args, io: Io, code: number = reports.exitCode(report)): number {
  const isWritten = [writeReports(report, args, io), writeBaseline(report, args, io)].every(Boolean);
  // A report that was asked for and is not there must not look like success.
  return interruptedCode(io) ?? (code === 0 && !isWritten ? 3 : code);
}

/** The exit code of a run that was interrupted and could still print its report. */
export function interruptedCode({ signal }: Io): number | undefined {
  if (!signal.aborted) return undefined;
  return signal.reason instanceof Interrupted ? signal.reason.exitCode : 130;
}
