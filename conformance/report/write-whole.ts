import { chmodSync, closeSync, fsyncSync, lstatSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file whole or leaves what was there: a disk that fills up while a report is written must not cost the report before it.
 * Give the mode 0o600 where secrets may stand in it. An existing file keeps its own mode, a link leads to the file that is replaced, and
 * what is no file (a pipe, /dev/stdout) is written to as it is.
 */
export function writeWhole(path: string, text: string, mode = 0o666): void {
  const before = statSync(path, { throwIfNoEntry: false });
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (before === undefined ? isLink : !before.isFile()) {
    write(path, 'w', text, mode);
    return;
  }
  const file = isLink ? realpathSync(path) : path;
  const draft = `${draftsOf(file)}${process.pid}.tmp`;
  try {
    write(draft, 'wx', text, mode);
    if (before !== undefined) chmodSync(draft, before.mode & 0o777);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** How the names of the files begin under which a file is written before it replaces the one that is there. */
export const draftsOf = (file: string): string => join(dirname(file), `.${basename(file)}.`);

function write(path: string, flags: 'w' | 'wx', text: string, mode: number): void {
  const file = openSync(path, flags, mode);
  try {
    const octets = Buffer.from(text);
    for (let at = 0; at < octets.length; ) at += writeSync(file, octets, at);
    if (flags === 'wx') fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
