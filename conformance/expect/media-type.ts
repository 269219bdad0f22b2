import { Scanner } from './scanner.js';

export interface MediaType {
  /** Type and subtype in lower case. */
  readonly essence: string;
  /** By name in lower case; the first of a name counts. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Reads a media type (RFC 9110, section 8.3.1). What is wrong among the parameters is passed over: they do not change the type. */
export function parseMediaType(value: string): MediaType | undefined {
  const scanner = new Scanner(value);
  scanner.blanks();
  const type = scanner.token();
  if (type === undefined || !scanner.accept('/')) return undefined;
  const subtype = scanner.token();
  scanner.blanks();
  if (subtype === undefined || !(scanner.done || value[scanner.at] === ';')) return undefined;
  const parameters = new Map<string, string>();
  while (scanner.accept(';')) {
    scanner.blanks();
    const name = scanner.token()?.toLowerCase();
    if (name !== undefined && scanner.accept('=')) {
      const text = scanner.quoted() ?? scanner.token();
      if (text !== undefined && !parameters.has(name)) parameters.set(name, text);
    }
    scanner.match(/[^;]*/y);
  }
  return { essence: `${type}/${subtype}`.toLowerCase(), parameters };
}
