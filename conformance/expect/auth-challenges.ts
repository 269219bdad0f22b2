import { Scanner } from './scanner.js';

interface AuthChallenge {
  /** In lower case. */
  readonly scheme: string;
  /** By name in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

const token68At = /[A-Za-z0-9._~+/-]+=*(?=[ \t]*(?:,|$))/y;

/** Reads a list of challenges (RFC 9110, section 11.6.1); undefined when the line does not follow its grammar. */
export function parseAuthChallenges(line: string): AuthChallenge[] | undefined {
  const scanner = new Scanner(line);
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  while (true) {
    scanner.match(/[ \t,]*/y);
    if (scanner.done) return challenges;
    const word = scanner.token()?.toLowerCase();
    if (word === undefined) return undefined;
    const spaced = scanner.match(/[ \t]+/y) !== undefined;
    if (scanner.accept('=')) {
      const parameters = challenges.at(-1)?.parameters;
      scanner.blanks();
      const value = scanner.quoted() ?? scanner.token();
      // A parameter stands once in a challenge (RFC 9110, section 11.2).
      if (parameters === undefined || value === undefined || parameters.has(word)) return undefined;
      parameters.set(word, value);
    } else {
      challenges.push({ scheme: word, parameters: new Map() });
      if (!spaced || scanner.match(token68At) === undefined) {
        if (spaced && !scanner.done && line[scanner.at] !== ',') continue;
      }
    }
    scanner.blanks();
    if (!scanner.done && line[scanner.at] !== ',') return undefined;
  }
}
