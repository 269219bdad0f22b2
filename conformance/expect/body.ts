import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';
import { type Answer, fromTarget, headerValues } from '../wire/index.js';
import { hasMoreNames, type JsonReading, parseJson, tooDeep } from './json.js';
import { shownOctets } from './judgement.js';

type Body = Pick<Answer, 'headers' | 'body'>;

/** A few octets can unpack to gigabytes; whatever unpacks beyond this is not read. */
const maxUnpackedBytes = 5 * 1024 * 1024;
const maxCodings = 3;

const codings: Record<string, (octets: Buffer, options: ZlibOptions) => Buffer> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  // Some servers send raw deflate under this name.
  deflate: (octets, options) => ((octets[0] ?? 0) % 16 === 8 ? inflateSync(octets, options) : inflateRawSync(octets, options)),
  br: brotliDecompressSync,
  identity: (octets) => octets,
};
/** Others that are registered, and that browsers ask for. */
const unreadable = new Set(['zstd', 'compress', 'x-compress', 'dcb', 'dcz', 'exi', 'pack200-gzip', 'aes128gcm']);

/** The octets of a body behind its content codings (RFC 9110, section 8.4), or why they cannot be had. */
export function unpacked(
  answer: Body,
): { readonly octets: Buffer } | (Pick<JsonReading, 'problem' | 'isUnread'> & { readonly problem: string }) {
  const named = headerValues(answer, 'content-encoding')
    .flatMap((line) => line.split(','))
    .flatMap((name) => name.trim().toLowerCase() || []);
  if (named.length === 0 || answer.body.length === 0) return { octets: answer.body };
  if (named.length > maxCodings) return { problem: `The body is compressed ${named.length} times.` };
  let octets = answer.body;
  for (const name of named.reverse()) {
    const unpack = Object.hasOwn(codings, name) ? codings[name] : undefined;
    if (unreadable.has(name)) return { problem: `The body is compressed as ${name}, which hydrauth does not read.`, isUnread: true };
    if (unpack === undefined) return { problem: `The body has an unknown content coding: ${fromTarget(JSON.stringify(name))}.` };
    try {
      octets = unpack(octets, { maxOutputLength: maxUnpackedBytes });
    } catch (error) {
      const tooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      return tooLong
        ? { problem: `Decompressed, the body has more than ${maxUnpackedBytes} octets.`, isUnread: true }
        : { problem: `The body cannot be decompressed as ${name}.` };
    }
  }
  return { octets };
}

/** Reads a body as JSON, behind its content codings. */
export function readBody(answer: Body): JsonReading {
  const codings = headerValues(answer, 'content-encoding').join();
  const known = readings.get(answer.body) ?? new Map<string, JsonReading>();
  const kept = known.get(codings);
  if (kept !== undefined) return kept;
  const reading = readAnew(answer);
  readings.set(answer.body, known.set(codings, reading));
  return reading;
}

function readAnew(answer: Body): JsonReading {
  const body = unpacked(answer);
  const nothing = { duplicates: [], bom: false };
  if ('problem' in body) return { ...nothing, ...body };
  if (body.octets.length <= largeOctets) return parseJson(body.octets);
  if (lastLarge !== undefined) readings.delete(lastLarge);
  lastLarge = answer.body;
  const text = body.octets.toString('latin1');
  const unread = (what: string) => ({ ...nothing, problem: `The JSON text has more than ${what}.`, isUnread: true }) as const;
  if (tooDeep(text, Number.POSITIVE_INFINITY, maxValues)) return unread(`${maxValues} values`);
  return hasMoreNames(text, maxNames) ? unread(`${maxNames} names of members`) : parseJson(body.octets);
}

/** Many laws look at one answer, and its body may be large. Answers that have the same octets may be coded otherwise. */
const readings = new WeakMap<Buffer, Map<string, JsonReading>>();
/** What is read of such a body takes many times its size, and is kept of the last one only. */
const largeOctets = 64 * 1024;
let lastLarge: Buffer | undefined;
/** More do not fit into a body of the largest size, unless there is nearly nothing in them. */
const maxValues = 1_000_000;
/** One that stands for the first time takes ten times as much as others. */
const maxNames = 100_000;

/** A body as text, behind its content codings; nothing where they cannot be undone. */
export function textOf(answer: Body): string {
  const body = unpacked(answer);
  return 'problem' in body ? '' : body.octets.toString();
}

/** A body for a sentence. */
export function shownBody(answer: Body): string {
  const body = unpacked(answer);
  return 'problem' in body ? body.problem : shownOctets(body.octets);
}
