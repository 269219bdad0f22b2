const tokenAt = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const quotedAt = /"((?:[^"\\]|\\[\s\S])*)"/y;
const blanksAt = /[ \t]*/y;

/** Walks through a header value by the grammar that RFC 9110 (section 5.6) gives all of them. */
export class Scanner {
  at = 0;

  constructor(readonly text: string) {}

  get done(): boolean {
    return this.at >= this.text.length;
  }

  blanks(): void {
    this.match(blanksAt);
  }

  token(): string | undefined {
    return this.match(tokenAt)?.[0];
  }

  /** The content of a quoted string, without its escapes. */
  quoted(): string | undefined {
    return this.match(quotedAt)?.[1]?.replace(/\\([\s\S])/g, '$1');
  }

  accept(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  match(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.text);
    if (found === null) return undefined;
    this.at = sticky.lastIndex;
    return found;
  }
}
