import type { HeaderLine } from './exchange.js';
import { quoted, WireFault } from './fault.js';

/** The part of an answer before its body. */
export interface Head {
  readonly status: number;
  readonly reason: string;
  readonly httpVersion: string;
  readonly headers: readonly HeaderLine[];
}

const statusLine = /^HTTP\/(1\.[0-9]) ([0-9]{3})(?: ([^\x00\r]*))?$/;
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const stray = /[\x00\r]/;

/** Where the head ends in these octets, counted behind its empty line; -1 when it has not ended yet. */
export function headEnd(octets: Buffer, from: number): number {
  const start = Math.max(0, from - 3);
  const crlf = octets.indexOf('\n\r\n', start, 'latin1');
  const lf = (crlf < 0 ? octets : octets.subarray(0, crlf + 1)).indexOf('\n\n', start, 'latin1');
  if (lf >= 0) return lf + 2;
  return crlf < 0 ? -1 : crlf + 3;
}

/** Reads status line and header lines. A single LF ends a line too, and folded lines are joined, as RFC 9112 lets a client do. */
export function parseHead(text: string): Head {
  const lines = text.split('\n');
  const opening = ended(lines[0] as string);
  const first = statusLine.exec(opening);
  if (first === null) throw new WireFault('malformed', `The answer is not HTTP/1: its first line is ${quoted(opening)}.`);
  const headers: [string, string][] = [];
  for (let index = 1; index < lines.length; index += 1) {
    const line = ended(lines[index] as string);
    if (line === '') continue;
    const previous = headers.at(-1);
    if ((line[0] === ' ' || line[0] === '\t') && previous !== undefined && !stray.test(line)) {
      const more = withoutBlanks(line, 0);
      previous[1] += previous[1] === '' || more === '' ? more : ` ${more}`;
      continue;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon));
    if (!headerName.test(name) || stray.test(line))
      throw new WireFault('malformed', `The answer has a line among its headers that is none: ${quoted(line)}.`);
    headers.push([name, withoutBlanks(line, colon + 1)]);
  }
  return { httpVersion: first[1] as string, status: Number(first[2]), reason: (first[3] ?? '').trim(), headers };
}

function ended(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** The rest of a line, without blanks and tabs around it. */
function withoutBlanks(line: string, from: number): string {
  let start = from;
  let end = line.length;
  while (start < end && isBlank(line, start)) start += 1;
  while (end > start && isBlank(line, end - 1)) end -= 1;
  return line.slice(start, end);
}

function isBlank(line: string, at: number): boolean {
  return line[at] === ' ' || line[at] === '\t';
}
