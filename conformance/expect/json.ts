import { fromTarget } from '../wire/index.js';
import { duplicateMembers, tooDeep } from './json-scan.js';

/** What strict reading of a JSON text (RFC 8259) came to. */
export interface JsonReading {
  /** Absent when there is a problem. */
  readonly value?: unknown;
  readonly problem?: string;
  /** JSON Pointers of members whose name stands twice in their object; the last one counts. */
  readonly duplicates: readonly string[];
  /** A byte-order mark stood in front and was passed over. */
  readonly bom: boolean;
}

/** Deeper texts are legal, but many parsers refuse them and what follows here could not be bounded. */
const maxDepth = 1000;

export function parseJson(octets: Buffer): JsonReading {
  const bom = octets.length >= 3 && octets[0] === 0xef && octets[1] === 0xbb && octets[2] === 0xbf;
  const nothing = { duplicates: [], bom };
  if (octets.length === 0) return { ...nothing, problem: 'The body is empty.' };
  // The sandbox of Postman has no TextDecoder. Octets that are not UTF-8 are replaced in the text, which shows when they are written again.
  const decoded = octets.toString('utf8');
  if (!Buffer.from(decoded, 'utf8').equals(octets)) return { ...nothing, problem: notText(octets) };
  const text = bom ? decoded.slice(1) : decoded;
  if (tooDeep(text, maxDepth)) return { ...nothing, problem: `The JSON text is nested more than ${maxDepth} levels deep.` };
  try {
    const value: unknown = JSON.parse(text);
    return { value, duplicates: duplicateMembers(text), bom };
  } catch (error) {
    return { ...nothing, problem: `The body is not JSON: ${fromTarget((error as Error).message)}.` };
  }
}

function notText(octets: Buffer): string {
  if (octets[0] === 0x1f && octets[1] === 0x8b) return 'The body is compressed with gzip, but no Content-Encoding says so.';
  if ((octets[0] === 0xff && octets[1] === 0xfe) || (octets[0] === 0xfe && octets[1] === 0xff))
    return 'The body is in UTF-16, not in UTF-8.';
  return 'The body is not UTF-8.';
}
