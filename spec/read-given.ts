import { closeSync, constants, fstatSync, mkdirSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { runInNewContext } from 'node:vm';

const mostOctets = 16 * 1024 * 1024;

/** The text of a file that others may have written. What cannot be read throws; `refuse` makes the error of the code that says why. */
export function readGiven(path: string, refuse?: (code: string) => Error): string {
  try {
    return textIn(path);
  } catch (error) {
    throw refuse?.(String((error as NodeJS.ErrnoException).code)) ?? error;
  }
}

/** What `read` makes of a file of YAML. Long ones take its parser gigabytes, and odd ones minutes. */
export function readGivenYaml<T>(path: string, refuse: (code: string) => Error, read: (text: string) => T): T {
  const text = readGiven(path, refuse);
  if (text.length > mostOctets / 16) throw refuse('it is larger than 1 MB');
  try {
    return runInNewContext('read()', { read: () => read(text) }, { timeout: 5000 });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? refuse('it takes longer than 5 s') : error;
  }
}

function textIn(path: string): string {
  // What others put in the place of a file, such as a pipe or a terminal, may never end, and no signal ends it. Those of a shell do.
  const isOfShell = /^\/(dev\/(stdin$|fd\/)|proc\/[^/]+\/fd\/)/.test(path);
  const file = openSync(path, isOfShell ? constants.O_RDONLY : constants.O_NONBLOCK);
  try {
    if (!isOfShell && fstatSync(file).isFIFO()) throw Object.assign(new Error('a pipe'), { code: 'it is a named pipe' });
    const octets = Buffer.allocUnsafe(mostOctets + 1);
    let end = 0;
    // The size of a pipe or a device is not known beforehand.
    for (let came = -1; came !== 0 && end <= mostOctets; end += came) came = readSync(file, octets, end, octets.length - end, null);
    if (end > mostOctets) throw Object.assign(new Error('larger than 16 MB'), { code: 'it is larger than 16 MB' });
    return octets.toString('utf8', 0, end);
  } finally {
    closeSync(file);
  }
}

/** The file or folder itself where links lead to one; /dev/stdout may lead to none. */
export function leadsTo(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** A folder and those above it. What Node.js has for that never ends below /proc. */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

/** Where a text is no JSON. What stands there, which Node.js repeats, may be secret. */
export function placeIn({ message }: Error): string {
  return / at position .*$/.exec(message)?.[0] ?? '';
}
