import { Scanner } from './scanner.js';

interface WebLink {
  readonly target: string;
  /** Relation types in lower case: RFC 8288, sections 2.1.1 and 2.1.2, compares both kinds without regard to case. */
  readonly relations: readonly string[];
  /** The context of the link, where it is not the answer itself. */
  readonly anchor: string | undefined;
}

/** Reads Link lines (RFC 8288, section 3): several links a line, several relations a link. Reading stops where a line makes no sense. */
export function parseLinks(lines: readonly string[]): WebLink[] {
  return lines.flatMap((line) => parseLine(asText(line)));
}

function parseLine(line: string): WebLink[] {
  const scanner = new Scanner(line);
  const links: WebLink[] = [];
  while (true) {
    scanner.match(/[ \t,]*/y);
    const target = scanner.match(/<([^>]*)>/y)?.[1];
    if (target === undefined) return links;
    const parameters = readParameters(scanner);
    const relations = (parameters.get('rel') ?? '')
      .toLowerCase()
      .split(/[ \t]+/)
      .filter((relation) => relation !== '');
    links.push({ target: target.trim(), relations, anchor: parameters.get('anchor') });
    scanner.blanks();
    if (!scanner.done && line[scanner.at] !== ',') return links;
  }
}

function readParameters(scanner: Scanner): Map<string, string> {
  const parameters = new Map<string, string>();
  for (scanner.blanks(); scanner.accept(';'); scanner.blanks()) {
    scanner.blanks();
    const name = scanner.token()?.toLowerCase();
    if (name === undefined) continue;
    scanner.blanks();
    let value = '';
    if (scanner.accept('=')) {
      scanner.blanks();
      value = scanner.quoted() ?? scanner.match(/[^;,"]*/y)?.[0].trim() ?? '';
    }
    // A second rel or anchor is ignored (RFC 8288, sections 3.3 and 3.2).
    if (!parameters.has(name)) parameters.set(name, value);
  }
  return parameters;
}

/** Header lines are read octet by octet; an address beyond ASCII is meant as UTF-8. */
function asText(line: string): string {
  return /[\x80-\xff]/.test(line) && !/[^\x00-\xff]/.test(line) ? Buffer.from(line, 'latin1').toString('utf8') : line;
}
