import { codedIn, folded, isReadable, place, readings, type Traced } from './decode.js';

interface Entry {
  readonly label: string;
  /** The text is only a beginning. Everything up to the next blank is replaced. */
  readonly open: boolean;
}

export interface Found {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/** Shorter secrets are parts of ordinary words, so they count only between word boundaries. */
export const anywhereCharacters = 6;
/** A target may give many long tokens; the beginning of one is enough to find it. */
const mostCharacters = 512;
const prefixLength = 2;
/** So often may what octets say be coded anew: base64 of base64 of base64. */
const mostCodings = 3;

/** Finds many texts in one pass, however they are folded. */
export class SecretIndex {
  /** No text of fewer characters, and no code of fewer octets, holds a secret that is found anywhere. A letter may be three when it is folded. */
  private leastCharacters = Number.POSITIVE_INFINITY;
  private leastOctets = Number.POSITIVE_INFINITY;
  private readonly entries = new Map<string, Entry>();
  /** Of which lengths there are secrets with these first characters, the longest first, so that the time does not grow with their number. */
  private readonly lengths = new Map<string, readonly number[]>();

  add(secret: string, label: string): void {
    const { text } = folded({ text: secret.slice(0, mostCharacters) });
    if (this.entries.has(text)) return;
    this.entries.set(text, { label, open: secret.length > mostCharacters });
    const prefix = text.slice(0, prefixLength);
    const lengths = new Set([...(this.lengths.get(prefix) ?? []), text.length]);
    this.lengths.set(
      prefix,
      [...lengths].sort((one, other) => other - one),
    );
    this.leastCharacters = Math.min(this.leastCharacters, Math.ceil(text.length / 3));
    if (text.length >= anywhereCharacters)
      this.leastOctets = Math.min(this.leastOctets, /^[\0-\x7f]*$/.test(text) ? text.length : Math.ceil(text.length / 2));
  }

  /** What of a text is secret, as it is, however it is escaped, and in what it codes. */
  find(written: string, codings = mostCodings): Found[] {
    if (written.length < this.leastCharacters) return [];
    return readings(written).flatMap((traced) => {
      const direct = this.standingIn(traced);
      if (codings === 0 || this.leastOctets > traced.text.length) return direct;
      const coded = codedIn(traced.text, this.leastOctets).flatMap(({ from, to, texts }) => {
        const [within] = texts.flatMap((text) => this.find(text, isReadable(text) ? codings - 1 : 0).slice(0, 1));
        const [first, end] = place(traced, from, to);
        return within === undefined ? [] : [{ from: first, to: end, label: within.label }];
      });
      return [...direct, ...coded];
    });
  }

  /** The same without its codes, as places of the text that it was read from. */
  private standingIn(read: Traced): Found[] {
    const traced = folded(read);
    const { text } = traced;
    const found: Found[] = [];
    for (let at = 0; at + prefixLength <= text.length; at += 1) {
      const lengths = this.lengths.get(text.slice(at, at + prefixLength));
      const length = lengths?.find((each) => this.isAt(text, at, each));
      if (length === undefined) continue;
      const { label, open } = this.entries.get(text.slice(at, at + length)) as Entry;
      let end = at + length;
      if (open) while (end < text.length && !/\s/.test(text[end] as string)) end += 1;
      const [from, to] = place(traced, at, end);
      found.push({ from, to, label });
    }
    return found;
  }

  /** A short one counts only where no letter or digit stands beside it. */
  private isAt(text: string, at: number, length: number): boolean {
    const isFree = (beside: number) => !/[\p{L}\p{N}]/u.test(text[beside] ?? ' ');
    if (at + length > text.length || !this.entries.has(text.slice(at, at + length))) return false;
    return length >= anywhereCharacters || (isFree(at - 1) && isFree(at + length));
  }
}
