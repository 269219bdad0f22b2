import { fromTarget } from '../wire/index.js';

/** What a comparison came to. */
export type Judgement = { readonly ok: true } | { readonly ok: false; readonly expected: string; readonly actual: string };

export const good: Judgement = { ok: true };

export function bad(expected: string, actual: string): Judgement {
  return { ok: false, expected, actual };
}

const shownLines = 5;
/** More of a body is not told. */
const keptOctets = 4096;

/** The lines of a header as they came, for a sentence. */
export function shown(name: string, values: readonly string[]): string {
  if (values.length === 0) return `no ${name} header`;
  const lines = values.slice(0, shownLines).map((value) => `${name}: ${fromTarget(value)}`);
  return [...lines, ...(values.length > shownLines ? [`and ${values.length - shownLines} more`] : [])].join('\n');
}

/** A body for a sentence. */
export function shownOctets(octets: Buffer): string {
  if (octets.length === 0) return 'an empty body';
  return fromTarget(octets.toString('utf8', 0, keptOctets));
}
