const tokenAt = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const quotedAt = /"((?:[^"\\]|\\[\s\S])*)"/y;

/** Walks through a header value by the grammar that RFC 9110 (section 5.6) gives all of them. */
class Scanner {
  private at = 0;

  constructor(private readonly text: string) {}

  get done(): boolean {
    return this.at >= this.text.length;
  }

  /** Whether an element of a list ends here, behind blanks. */
  ends(): boolean {
    this.match(/[ \t]*/y);
    return this.done || this.text[this.at] === ',';
  }

  token(): string | undefined {
    return this.match(tokenAt)?.[0];
  }

  /** The content of a quoted string, without its escapes. */
  quoted(): string | undefined {
    return this.match(quotedAt)?.[1]?.replace(/\\([\s\S])/g, '$1');
  }

  match(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.text);
    if (found === null) return undefined;
    this.at = sticky.lastIndex;
    return found;
  }
}

interface AuthChallenge {
  /** In lower case. */
  readonly scheme: string;
  /** By name in lower case. */
  readonly parameters: Map<string, string>;
}

const token68At = /[A-Za-z0-9._~+/-]+=*(?=[ \t]*(?:,|$))/y;

/** Reads a list of challenges (RFC 9110, section 11.6.1); undefined when the line does not follow its grammar. */
export function parseAuthChallenges(line: string): readonly AuthChallenge[] | undefined {
  const scanner = new Scanner(line);
  const challenges: AuthChallenge[] = [];
  while (true) {
    scanner.match(/[ \t,]*/y);
    if (scanner.done) return challenges;
    const word = scanner.token()?.toLowerCase();
    if (word === undefined) return undefined;
    const isSpaced = scanner.match(/[ \t]+/y) !== undefined;
    if (scanner.match(/=[ \t]*/y) !== undefined) {
      const parameters = challenges.at(-1)?.parameters;
      const value = scanner.quoted() ?? scanner.token();
      // A parameter stands once in a challenge (RFC 9110, section 11.2).
      if (parameters === undefined || value === undefined || parameters.has(word)) return undefined;
      parameters.set(word, value);
    } else {
      challenges.push({ scheme: word, parameters: new Map() });
      // Its first parameter may follow.
      if (isSpaced && scanner.match(token68At) === undefined && !scanner.ends()) continue;
    }
    if (!scanner.ends()) return undefined;
  }
}

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
  do {
    scanner.match(/[ \t,]*/y);
    const target = scanner.match(/<([^>]*)>/y)?.[1];
    if (target === undefined) return links;
    const parameters = readParameters(scanner);
    const relations = (parameters.get('rel') ?? '').toLowerCase().split(/[ \t]+/);
    links.push({ target: target.trim(), relations, anchor: parameters.get('anchor') });
  } while (scanner.ends());
  return links;
}

function readParameters(scanner: Scanner): Map<string, string> {
  const parameters = new Map<string, string>();
  while (scanner.match(/[ \t]*;[ \t]*/y) !== undefined) {
    const name = scanner.token()?.toLowerCase();
    if (name === undefined) continue;
    const hasValue = scanner.match(/[ \t]*=[ \t]*/y) !== undefined;
    const value = hasValue ? (scanner.quoted() ?? scanner.match(/[^;,"]*/y)?.[0].trim() ?? '') : '';
    // A second rel or anchor is ignored (RFC 8288, sections 3.3 and 3.2).
    if (!parameters.has(name)) parameters.set(name, value);
  }
  return parameters;
}

/** Header lines are read octet by octet; an address beyond ASCII is meant as UTF-8. */
function asText(line: string): string {
  return /[\x80-\xff]/.test(line) && !/[^\x00-\xff]/.test(line) ? Buffer.from(line, 'latin1').toString('utf8') : line;
}
