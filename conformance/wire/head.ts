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
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\x00\r]*)$/;

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
  const lines = text.split(/\r?\n/);
  const first = statusLine.exec(lines[0] as string);
  if (first === null) throw new WireFault('malformed', `The answer is not HTTP/1: its first line is ${quoted(lines[0] as string)}.`);
  const headers: [string, string][] = [];
  for (let index = 1; index < lines.length; index += 1) {
    const line = lines[index] as string;
    if (line === '') continue;
    const previous = headers.at(-1);
    if (/^[ \t]/.test(line) && previous !== undefined && !/[\x00\r]/.test(line)) {
      previous[1] = `${previous[1]} ${line.trim()}`.trim();
      continue;
    }
    const parts = headerLine.exec(line);
    if (parts === null) throw new WireFault('malformed', `The answer has a line among its headers that is none: ${quoted(line)}.`);
    headers.push([parts[1] as string, trimEnd(parts[2] as string)]);
  }
  return { httpVersion: first[1] as string, status: Number(first[2]), reason: (first[3] ?? '').trim(), headers };
}

function trimEnd(value: string): string {
  let end = value.length;
  while (end > 0 && (value[end - 1] === ' ' || value[end - 1] === '\t')) end -= 1;
  return end === value.length ? value : value.slice(0, end);
}
