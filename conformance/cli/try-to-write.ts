import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Args, CallError } from './command.js';
import type { Io } from './io.js';

/** Makes sure, before anything takes long, that the files which these options name can be written, in folders that are made for them. */
export function tryToWrite(args: Pick<Args, 'text'>, { cwd }: Pick<Io, 'cwd'>, options: readonly { readonly name: string }[]): void {
  for (const { name } of options) {
    const file = args.text(name);
    const why = file === undefined ? undefined : obstacle(resolve(cwd, file));
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
