import { closeSync, openSync, readSync, statSync } from 'node:fs';

const mostOctets = 16 * 1024 * 1024;

/** The text of a file that others may have written. The code of an error says why it cannot be read. */
export function readGiven(path: string): string {
  // To open one that nobody writes to never ends, and no signal ends it. Those of a shell stand below /dev.
  if (!/^\/(dev|proc)\//.test(path) && statSync(path).isFIFO()) throw Object.assign(new Error('a pipe'), { code: 'it is a named pipe' });
  const file = openSync(path, 'r');
  try {
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
