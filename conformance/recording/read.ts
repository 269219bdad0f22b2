import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { count, placeIn } from '../../spec/index.js';
import { complaint, InputFileError, schemaValidator } from '../report/index.js';
import { digestOf, entrySchema, type HarEntry, type OwnRecording, ownSchema } from './har.js';

/** Where an entry stands in a file, in octets. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** A HAR file, of which only one entry at a time is in memory. */
export type HarFile = Readonly<ReturnType<typeof openHar>>;

const chunkOctets = 1024 * 1024;
const largestEntry = 24 * 1024 * 1024;
/** More would fill the memory before anything is judged. */
const mostEntries = 1_000_000;
const deepest = 1000;
const longestKey = '_hydrauth'.length;

/** Finds the entries of a file without reading it whole. Throws where it is no HAR file. */
export function openHar(path: string) {
  const refuse = (why: string): never => {
    throw new InputFileError(path, why);
  };
  let file: number | undefined;
  try {
    // Without waiting for whoever may write to a pipe.
    file = openSync(path, constants.O_NONBLOCK);
    if (!fstatSync(file).isFile()) refuse('is not a file; a HAR file is expected');
    return { path, ...contentOf(file, refuse), close: () => closeSync(file as number) };
  } catch (error) {
    if (file !== undefined) closeSync(file);
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    return refuse(`cannot be read (${code}); a HAR file is expected`);
  }
}

type Refuse = (why: string) => never;

/** Where the entries stand, what hydrauth wrote about the whole recording, and whether that does not fit the entries any more. */
function contentOf(file: number, refuse: Refuse) {
  // One for all entries, because new ones would pile up until they are collected.
  let octets = Buffer.alloc(0);
  const text = ({ from, to }: Place) => {
    if (octets.length < to - from) octets = Buffer.alloc(2 * (to - from));
    return octets.toString('utf8', 0, readSync(file, octets, 0, to - from, from));
  };
  const read = (place: Place, what: string): unknown => {
    try {
      return JSON.parse(text(place));
    } catch (error) {
      return refuse(`is no HAR file: ${what} is not JSON${placeIn(error as Error)}`);
    }
  };
  const { places, own } = scan(file, text, refuse);
  const isEntry = schemaValidator(entrySchema);
  /** The entry in this place; undefined where it is larger than any that says something. */
  const entry = (place: Place): HarEntry | undefined => {
    if (place.to - place.from > largestEntry) return undefined;
    const value = read(place, `what begins at octet ${place.from}`);
    if (isEntry(value)) return value as HarEntry;
    const [wrong] = isEntry.errors ?? [];
    if (wrong?.keyword === 'maxLength') return undefined;
    return refuse(`is no HAR file: entry ${places.indexOf(place) + 1}${wrong?.instancePath.replaceAll('/', '.')} ${complaint(wrong)}`);
  };
  if (own === undefined || own.to - own.from > largestEntry) return { places, entry, own: undefined, isChanged: own !== undefined };
  const about = read(own, 'log._hydrauth');
  if (!schemaValidator(ownSchema)(about)) return { places, entry, own: undefined, isChanged: true };
  const { digest, ...said } = about as OwnRecording & { readonly digest?: string };
  const isChanged = digest !== digestOf(said, places, (place) => JSON.stringify(entry(place) ?? null));
  return { places, entry, own: isChanged ? undefined : said, isChanged };
}

/** Cuts `log.entries` into its members by counting brackets outside of texts. */
function scan(file: number, text: (place: Place) => string, refuse: Refuse): { places: Place[]; own?: Place } {
  const chunk = Buffer.alloc(chunkOctets);
  const places: Place[] = [];
  const keys: string[] = [];
  let own: Place | undefined;
  let [depth, began, textFrom, inText, isEscaped, isFound, offset] = [0, 0, 0, false, false, false, 0];
  let last: Place = { from: 0, to: 0 };
  for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) {
    if (offset === 0) refuseOther(chunk.subarray(0, size), refuse);
    for (let index = 0; index < size; index += 1) {
      const octet = chunk[index] as number;
      const at = offset + index;
      if (inText) {
        if (isEscaped) isEscaped = false;
        else if (octet === 0x5c) isEscaped = true;
        else if (octet === 0x22) [inText, last] = [false, { from: textFrom + 1, to: at }];
      } else if (octet === 0x22) [inText, textFrom] = [true, at];
      // A colon.
      else if (octet === 0x3a && depth <= 2) keys[depth] = last.to - last.from > longestKey ? '' : text(last);
      // A comma.
      else if (octet === 0x2c && depth <= 2) keys.length = depth;
      else if (octet === 0x7b || octet === 0x5b) {
        const isInLog = keys[1] === 'log';
        if ((depth === 3 && keys[2] === 'entries') || (depth === 2 && isInLog && keys[2] === '_hydrauth')) began = at;
        if (depth === 2 && isInLog && keys[2] === 'entries') isFound = true;
        depth += 1;
        if (depth > deepest) refuse(`is no HAR file: octet ${at} is nested deeper than ${deepest}`);
      } else if (octet === 0x7d || octet === 0x5d) {
        depth -= 1;
        if (depth < 0) refuse(`is no HAR file: octet ${at} closes what nothing opened`);
        if (depth === 3 && keys[2] === 'entries') places.push({ from: began, to: at + 1 });
        if (places.length > mostEntries) refuse(`has more than ${mostEntries} entries; split it`);
        if (depth === 2 && keys[2] === '_hydrauth') own = { from: began, to: at + 1 };
      }
    }
    offset += size;
  }
  if (offset === 0) refuse('is empty; a HAR file is expected');
  if (depth !== 0 || inText)
    refuse(`ends in the middle, after ${count(places.length, 'whole entry', 'whole entries')}. Save it again, whole`);
  if (!isFound) refuse('is no HAR file: it has no log.entries');
  return { places, ...(own && { own }) };
}

/** What a file that is not JSON in UTF-8 begins with. */
function refuseOther(beginning: Buffer, refuse: Refuse): void {
  const [first, second] = beginning;
  if (first === 0x1f && second === 0x8b) refuse('is compressed; unpack it with gunzip first');
  if (first === 0 || second === 0 || first === 0xff || first === 0xfe) refuse('is in UTF-16; a HAR file is in UTF-8');
  if (!/^(\xef\xbb\xbf)?\s*\{/.test(beginning.toString('latin1'))) refuse('is no HAR file: it is not a JSON object');
}
