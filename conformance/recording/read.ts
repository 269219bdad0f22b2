import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { count } from '../../spec/index.js';
import { complaint, InputFileError, schemaValidator } from '../report/index.js';
import { entrySchema, type HarEntry, ownSchema } from './har.js';

/** Where an entry stands in a file, in octets. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** A HAR file, of which only one entry at a time is in memory. */
export interface HarFile {
  readonly path: string;
  /** What hydrauth wrote about the whole recording. */
  readonly own: unknown;
  readonly places: readonly Place[];
  /** The entry in this place; undefined where it is larger than any that says something. */
  entry(place: Place): HarEntry | undefined;
  close(): void;
}

const chunkOctets = 1024 * 1024;
const largestEntry = 24 * 1024 * 1024;
/** More would fill the memory before anything is judged. */
const mostEntries = 1_000_000;
const deepest = 10_000;
const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const opens = new Set([0x7b, 0x5b]);
const closes = new Set([0x7d, 0x5d]);

/** Finds the entries of a file without reading it whole. Throws where it is no HAR file. */
export function openHar(path: string): HarFile {
  const file = opened(path);
  // One for all entries, because new ones would pile up until they are collected.
  let octets = Buffer.alloc(0);
  const text = ({ from, to }: Place) => {
    if (octets.length < to - from) octets = Buffer.alloc(2 * (to - from));
    return octets.toString('utf8', 0, readSync(file, octets, 0, to - from, from));
  };
  try {
    const { places, own } = scan(file, path, text);
    const isEntry = schemaValidator(entrySchema);
    const read = (place: Place, what: string): unknown => {
      try {
        if (place.to - place.from > largestEntry) throw new Error('too large');
        return JSON.parse(text(place));
      } catch (error) {
        throw new InputFileError(path, `is no HAR file: ${what} is not JSON (${(error as Error).message})`);
      }
    };
    const about = own && read(own, 'log._hydrauth');
    if (about !== undefined && !schemaValidator(ownSchema)(about))
      throw new InputFileError(path, 'log._hydrauth is not as hydrauth writes it');
    return {
      path,
      own: about,
      places,
      entry(place) {
        if (place.to - place.from > largestEntry) return undefined;
        const entry = read(place, `what begins at octet ${place.from}`);
        if (isEntry(entry)) return entry as HarEntry;
        const [wrong] = isEntry.errors ?? [];
        throw new InputFileError(
          path,
          `is no HAR file: entry ${places.indexOf(place) + 1}${wrong?.instancePath.replaceAll('/', '.')} ${complaint(wrong)}`,
        );
      },
      close: () => closeSync(file),
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function opened(path: string): number {
  try {
    const file = openSync(path, 'r');
    if (fstatSync(file).isFile()) return file;
    closeSync(file);
  } catch (error) {
    throw new InputFileError(path, `cannot be read (${(error as NodeJS.ErrnoException).code}); a HAR file is expected`);
  }
  throw new InputFileError(path, `is not a file; a HAR file is expected`);
}

/** Cuts `log.entries` into its members by counting brackets outside of texts. */
function scan(file: number, path: string, text: (place: Place) => string): { places: Place[]; own?: Place } {
  const chunk = Buffer.alloc(chunkOctets);
  const places: Place[] = [];
  const keys: string[] = [];
  let own: Place | undefined;
  let [depth, began, textFrom, inText, isEscaped, isFound, offset] = [0, 0, 0, false, false, false, 0];
  let last: Place = { from: 0, to: 0 };
  for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) {
    if (offset === 0) refuseOther(chunk.subarray(0, size), path);
    for (let index = 0; index < size; index += 1) {
      const octet = chunk[index] as number;
      const at = offset + index;
      if (inText) {
        if (isEscaped) isEscaped = false;
        else if (octet === backslash) isEscaped = true;
        else if (octet === quote) [inText, last] = [false, { from: textFrom + 1, to: at }];
      } else if (octet === quote) [inText, textFrom] = [true, at];
      else if (octet === colon && depth <= 2 && last.to - last.from < 100) keys[depth] = text(last);
      else if (octet === comma && depth <= 2) keys.length = depth;
      else if (opens.has(octet)) {
        const isInLog = keys[1] === 'log';
        if ((depth === 3 && isFound) || (depth === 2 && isInLog && keys[2] === '_hydrauth')) began = at;
        if (depth === 2 && isInLog && keys[2] === 'entries') isFound = true;
        depth += 1;
        if (depth > deepest) throw new InputFileError(path, `is no HAR file: octet ${at} is nested deeper than ${deepest}`);
      } else if (closes.has(octet)) {
        depth -= 1;
        if (depth === 3 && keys[2] === 'entries') places.push({ from: began, to: at + 1 });
        if (places.length > mostEntries) throw new InputFileError(path, `has more than ${mostEntries} entries; split it`);
        if (depth === 2 && keys[2] === '_hydrauth') own = { from: began, to: at + 1 };
      }
    }
    offset += size;
  }
  if (offset === 0) throw new InputFileError(path, `is empty; a HAR file is expected`);
  if (depth !== 0 || inText)
    throw new InputFileError(
      path,
      `ends in the middle, after ${count(places.length, 'whole entry', 'whole entries')}. Save it again, whole`,
    );
  if (!isFound) throw new InputFileError(path, `is no HAR file: it has no log.entries`);
  return { places, ...(own === undefined ? {} : { own }) };
}

/** What a file that is not JSON in UTF-8 begins with. */
function refuseOther(beginning: Buffer, path: string): void {
  const [first, second] = beginning;
  if (first === 0x1f && second === 0x8b) throw new InputFileError(path, `is compressed; unpack it with gunzip first`);
  if (first === 0 || second === 0 || first === 0xff || first === 0xfe)
    throw new InputFileError(path, `is in UTF-16; a HAR file is in UTF-8`);
  if (!/^(\xef\xbb\xbf)?\s*\{/.test(beginning.toString('latin1')))
    throw new InputFileError(path, `is no HAR file: it is not a JSON object`);
}
