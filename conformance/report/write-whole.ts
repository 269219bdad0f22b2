import { chmodSync, lstatSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file whole or leaves what was there: a disk that fills up while a report is written must not cost the report before it.
 * Give the mode 0o600 where secrets may stand in it. An existing file keeps its own mode, a link leads to the file that is replaced, and
 * what is no file (a pipe, /dev/stdout) is written to as it is.
 */
export function writeWhole(path: string, text: string | Buffer, mode = 0o666): void {
  const before = statSync(path, { throwIfNoEntry: false });
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (before === undefined ? isLink : !before.isFile()) {
    writeFileSync(path, text, { mode });
    return;
  }
  const file = isLink ? realpathSync(path) : path;
  const draft = `${draftsOf(file)}${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { flag: 'wx', mode, flush: true });
    if (before !== undefined) chmodSync(draft, before.mode & 0o777);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** How the names of the files begin under which a file is written before it replaces the one that is there. */
export const draftsOf = (file: string): string => join(dirname(file), `.${basename(file)}.`);
