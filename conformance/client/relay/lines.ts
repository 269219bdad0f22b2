import type { IncomingMessage } from 'node:http';
import type { HeaderLine } from '../../wire/index.js';

/** Lines about one connection, which end there (RFC 9110, 7.6.1). */
const ofTheConnection = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Which lines are not passed on: those of the connection, and these, in small letters. */
export const leftOut = (...names: string[]): ReadonlySet<string> => new Set([...ofTheConnection, ...names]);

/** The header lines that are passed on, name and value in turn. `Connection` may name more that are not. */
export function passedOn({ rawHeaders, headers: { connection = '' } }: IncomingMessage, left: ReadonlySet<string>): string[] {
  const named = connection === '' || connection === 'keep-alive' ? [] : connection.toLowerCase().split(/[\s,]+/);
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    const lower = name.toLowerCase();
    if (!left.has(lower) && !named.includes(lower)) kept.push(name, rawHeaders[at + 1] as string);
  }
  return kept;
}

/** Names and values in turn, as pairs. */
export function inPairs(lines: readonly string[]): HeaderLine[] {
  return lines.flatMap((name, index): HeaderLine[] => (index % 2 === 0 ? [[name, lines[index + 1] ?? '']] : []));
}
