import { fromTarget } from '../wire/index.js';

/** What strict reading of a JSON text (RFC 8259) came to. */
export interface JsonReading {
  /** Absent when there is a problem. */
  readonly value?: unknown;
  readonly problem?: string;
  /** The problem is a limit of ours, and says nothing of the text. */
  readonly isUnread?: true;
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
    return { ...nothing, problem: `The body is not JSON: ${fromTarget((error as Error).message.replace(aPiece, ''))}.` };
  }
}

/** What V8 quotes of a text: too little of it to find a secret that it may be a part of. */
const aPiece = /, .*(?= is not valid JSON$)/s;

function notText(octets: Buffer): string {
  if (octets[0] === 0x1f && octets[1] === 0x8b) return 'The body is compressed with gzip, but no Content-Encoding says so.';
  if ((octets[0] === 0xff && octets[1] === 0xfe) || (octets[0] === 0xfe && octets[1] === 0xff))
    return 'The body is in UTF-16, not in UTF-8.';
  return 'The body is not UTF-8.';
}

/** What a JSON text is built of, with whole strings. One that does not end goes to the end of the text. A pattern of a whole one would take memory for each escape. */
function* marksIn(text: string): Generator<string> {
  const [marks, inString] = [/["[\]{},:]/g, /"|\\./gs];
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === '"') {
      inString.lastIndex = marks.lastIndex;
      let end = inString.exec(text);
      while (end !== null && end[0] !== '"') end = inString.exec(text);
      marks.lastIndex = end === null ? text.length : inString.lastIndex;
    }
    yield text.slice(mark.index, marks.lastIndex);
  }
}

/** Whether arrays and objects are nested beyond a depth, or there are more values than so many. Any text will do; no stack is used. */
export function tooDeep(text: string, maxDepth: number, maxValues = Number.POSITIVE_INFINITY): boolean {
  let depth = 0;
  let values = 0;
  for (const mark of marksIn(text)) {
    const opens = mark === '[' || mark === '{';
    if (opens) depth += 1;
    else if (mark === ']' || mark === '}') depth -= 1;
    if (opens || mark === ',') values += 1;
    if (depth > maxDepth || values > maxValues) return true;
  }
  return false;
}

/** Whether the members of all objects have more different names than so many. Any text will do. */
export function hasMoreNames(text: string, most: number): boolean {
  const names = new Set<string>();
  let last = '';
  for (const mark of marksIn(text)) {
    if (mark === ':' && names.add(last).size > most) return true;
    last = mark;
  }
  return false;
}

interface Level {
  /** The member or index under way. */
  place: string | number;
  /** The members seen so far; none in an array. */
  readonly names: Set<string>;
}

/** Enough to show; a body of nothing but repetitions would otherwise cost the square of its length. */
const maxReported = 20;
const mostKept = 5000;

/** JSON Pointers of members whose name was there before in the same object. The text must be valid JSON. */
function duplicateMembers(text: string): string[] {
  const found: string[] = [];
  const levels: Level[] = [];
  let last = '';
  for (const mark of marksIn(text)) {
    const level = levels.at(-1);
    if (mark === '{' || mark === '[') levels.push({ place: mark === '[' ? 0 : '', names: new Set() });
    else if (mark === '}' || mark === ']') levels.pop();
    else if (mark === ',' && typeof level?.place === 'number') level.place += 1;
    else if (mark === ':' && level !== undefined) {
      const name = JSON.parse(last) as string;
      level.place = name;
      if (level.names.has(name) && found.length < maxReported) found.push(pointer(levels));
      level.names.add(name);
    }
    last = mark;
  }
  return found;
}

/** Cut behind as much as anybody keeps of it: a name may be as long as the text, and stand in each pointer. */
function pointer(levels: readonly Level[]): string {
  let path = '';
  for (const { place } of levels)
    if (path.length < mostKept) path += `/${String(place).slice(0, mostKept).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return path;
}
