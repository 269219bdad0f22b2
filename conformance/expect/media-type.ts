import { Scanner } from './scanner.js';

/** Type and subtype of a media type in lower case (RFC 9110, section 8.3.1). Parameters, well-formed or not, do not change the type. */
export function mediaTypeOf(value: string): string | undefined {
  const scanner = new Scanner(value);
  scanner.blanks();
  const type = scanner.token();
  if (type === undefined || !scanner.accept('/')) return undefined;
  const subtype = scanner.token();
  scanner.blanks();
  return subtype !== undefined && (scanner.done || value[scanner.at] === ';') ? `${type}/${subtype}`.toLowerCase() : undefined;
}
