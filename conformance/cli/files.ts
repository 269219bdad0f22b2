import { closeSync, existsSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { reportFormats } from '../option-table.js';
import type { Report } from '../report/index.js';
import { type Args, CallError } from './command.js';
import { asStarted, type Io } from './io.js';

/** As the name of a file; everything else is printed to standard error then. */
const standardOutput = '-';

/** Where a call prints what is meant for people: not where a report goes. */
export function forPeople(args: Pick<Args, 'text'>, io: Io, options: readonly string[] = reportFormats): Io {
  return options.some((name) => args.text(name) === standardOutput) ? { ...io, out: io.err } : io;
}

/** Makes sure, before anything takes long, that the files which these options name are different ones and can be written, in folders that are made for them. */
export function tryToWrite(
  args: Pick<Args, 'text'>,
  { cwd }: Pick<Io, 'cwd'>,
  options: readonly string[] = [...reportFormats, 'write-baseline', 'record'],
): void {
  const named = new Map<string, string>();
  for (const name of options) {
    const file = args.text(name);
    if (file === undefined) continue;
    const path = file === standardOutput ? 'standard output' : resolve(cwd, file);
    const other = named.get(path);
    if (other !== undefined) throw new CallError(`--${other} and --${name} both write to ${path}; give each a file of its own`);
    named.set(path, name);
  }
  for (const name of options) {
    const file = args.text(name);
    const why = file === undefined || file === standardOutput ? undefined : obstacle(resolve(cwd, file));
    if (why !== undefined) throw new CallError(`--${name} ${file} cannot be written: ${why}`);
  }
}

function obstacle(path: string): string | undefined {
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

/** A folder and those above it. What Node.js has for that never ends below /proc. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

/** Writes the file that this option names, if it is given. */
export async function writeFileOf(
  name: string,
  text: string,
  args: Pick<Args, 'text'>,
  { cwd, out }: Pick<Io, 'cwd' | 'out'>,
): Promise<void> {
  const file = args.text(name);
  if (file === undefined) return;
  if (file === standardOutput) return out(text);
  const { writeWhole } = await import('../report/index.js');
  try {
    writeWhole(resolve(cwd, file), text);
  } catch (error) {
    throw new CallError(`--${name} ${file} cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Writes every report that was asked for; gives false when one could not be written. `json` is where the report stands in JSON, if it does. */
export async function writeReports(
  report: Report,
  args: Pick<Args, 'text'>,
  io: Pick<Io, 'cwd' | 'err' | 'out' | 'self'>,
  json = args.text('json'),
): Promise<boolean> {
  const { earlReport, htmlReport, jsonReport, junitReport, markdownReport, writeWhole } = await import('../report/index.js');
  const writers = { json: jsonReport, junit: junitReport, earl: earlReport, html: htmlReport, markdown: markdownReport };
  let isWritten = true;
  let standing = json === standardOutput ? undefined : json;
  // JSON comes first, because the others name its file.
  for (const name of reportFormats) {
    const file = args.text(name);
    if (file === undefined) continue;
    try {
      const written = writers[name](report, { json: standing });
      const text = name === 'json' || name === 'earl' ? written : asStarted(written, io);
      if (file === standardOutput) io.out(text);
      else writeWhole(resolve(io.cwd, file), text);
    } catch (error) {
      isWritten = false;
      if (file === json) standing = undefined;
      io.err(`hydrauth: --${name} ${file} could not be written (${(error as NodeJS.ErrnoException).code ?? (error as Error).message}).\n`);
    }
  }
  return isWritten;
}

/** Writes the entries that the next run needs to pass, if asked for; gives false when there are none to write or they cannot be written. */
export async function writeBaseline(report: Report, args: Pick<Args, 'text'>, io: Pick<Io, 'cwd' | 'err'>): Promise<boolean> {
  const file = args.text('write-baseline');
  if (file === undefined) return true;
  const [{ count, spec }, { entriesText, readBaseline, updatedEntries, writeWhole }] = await Promise.all([
    import('../../spec/index.js'),
    import('../report/index.js'),
  ]);
  const path = resolve(io.cwd, file);
  const complain = (why: string) => {
    io.err(`hydrauth: --write-baseline ${file} was not written: ${why}\n`);
    return false;
  };
  if (report.verdict === 'error' || report.verdict === 'incomplete') return complain('the run gave no verdict.');
  try {
    const before = existsSync(path) ? readBaseline(path, report.target.client === undefined ? spec.catalogue : spec.clientCatalogue) : [];
    const entries = updatedEntries(report, before);
    writeWhole(path, `${entriesText(entries)}\n`);
    const has = `has ${count(entries.length, 'entry', 'entries')} now. Say in each why the failure is accepted`;
    io.err(`${file} ${entries.length === 0 ? 'is an empty list now: nothing failed that it could accept' : has}.\n`);
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return complain(code === undefined || code.startsWith('HYDRAUTH') ? message : `${code}.`);
  }
}
