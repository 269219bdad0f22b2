import { createHash } from 'node:crypto';

/** What is written and read of HAR 1.2. Tools leave out what they do not know. */
export interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly clientIPAddress?: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly httpVersion: string;
    readonly headers: readonly HarHeader[];
    readonly postData?: { readonly mimeType: string; readonly text?: string };
  };
  readonly response?: {
    /** 0 where no answer came. */
    readonly status: number;
    readonly statusText: string;
    readonly httpVersion: string;
    readonly headers: readonly HarHeader[];
    /** Behind its content codings. */
    readonly content?: { readonly size?: number; readonly mimeType?: string; readonly text?: string; readonly encoding?: string };
    readonly bodySize?: number;
    /** Why the answer was not read to its end: by Chrome and by Playwright. */
    readonly _error?: string | null;
    readonly _failureText?: string;
    readonly _fetchedViaServiceWorker?: boolean;
  };
  /** What answered instead of the service: the cache of Chrome, of WebKit or of Firefox, or a test of Playwright. */
  readonly _fromCache?: string;
  readonly _fetchType?: string;
  readonly cache?: object | null;
  readonly _wasFulfilled?: boolean;
  readonly _hydrauth?: OwnEntry;
}

export interface HarHeader {
  readonly name: string;
  readonly value: string;
}

/** What HAR has no place for. */
export interface OwnEntry {
  /** On the clock of the moves. */
  readonly sentAtMs: number;
  /** As it went on the wire, where the URL does not say it. */
  readonly target?: string;
  readonly problem?: { readonly code: string; readonly message: string };
  /** How many octets the body had on the wire. */
  readonly octets?: number;
  /** The body stands here without its content coding. */
  readonly decoded?: true;
  readonly staysOpen?: true;
  /** Only the beginning of the body stands here. */
  readonly cut?: true;
  /** The answer may belong to another request, which was written ahead of it. */
  readonly unheld?: true;
  readonly [label: string]: unknown;
}

/** What hydrauth says of a whole recording. */
export interface OwnRecording {
  readonly baseUrl: string;
  /** Those of the service's clock, each between two instants of the clock on which requests were sent. */
  readonly moves: readonly { readonly ms: number; readonly fromMs: number; readonly toMs: number }[];
  /** How many exchanges came when it was full. */
  readonly leftOut?: number;
}

/** Fits as long as nobody changes the recording. */
export function digestOf<Each>(own: object, entries: readonly Each[], textOf: (entry: Each) => string | Buffer): string {
  const hash = createHash('sha256').update(JSON.stringify(own));
  for (const entry of entries) hash.update('\n').update(textOf(entry));
  return hash.digest('hex');
}

const text = { type: 'string' };
/** Nobody sends a longer address or header line, and to search it for secrets takes long. */
const short = { type: 'string', maxLength: 64 * 1024 };
const number = { type: 'number' };
/** Some tools write null for what they do not know. */
const orNull = ({ type, ...schema }: { type: string }) => ({ type: [type, 'null'], ...schema });
const object = (properties: object, ...required: string[]) => ({ type: 'object', properties, required });
const plain = { ...short, type: ['string', 'number', 'boolean', 'null'] };
const lines = orNull({ type: 'array', ...{ items: object({ name: short, value: plain }, 'name') } });
const content = orNull(object({ size: orNull(number), text: orNull(text) }));
const problem = object({ code: text, message: text }, 'code', 'message');

/** What an entry has to be, in all that is read of it. */
export const entrySchema = object(
  {
    startedDateTime: orNull(text),
    time: orNull(number),
    clientIPAddress: plain,
    request: object({ method: short, url: short, headers: lines, postData: orNull(object({ text: orNull(text) })) }, 'method', 'url'),
    response: orNull(object({ status: orNull(number), statusText: orNull(short), httpVersion: plain, headers: lines, content })),
    _hydrauth: object({ sentAtMs: number, target: short, octets: number, problem }),
  },
  'request',
);

/** What hydrauth says of a whole recording, in what is read before it is judged again. */
export const ownSchema = object({ leftOut: number, baseUrl: text });
