import { decodings, folded, place, type Traced } from './decode.js';

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
/** To look at any text takes as long as so many characters of it. */
const leastCost = 16;

/** Finds many texts in one pass, however they are folded. */
export class SecretIndex {
  /** No text of fewer characters, and no code of fewer octets, holds a secret that is found anywhere. A letter may be three when it is folded. */
  private leastCharacters = Number.POSITIVE_INFINITY;
  private leastOctets = Number.POSITIVE_INFINITY;
  private readonly known = new Set<string>();
  private readonly secrets = new Tree();
  /** What each text holds: most texts of a run are the same. */
  private readonly searched = new Map<string, readonly Found[]>();
  /** How many characters were looked at, each as often as it was read in another way. */
  looked = 0;

  add(secret: string, label: string): void {
    const { text } = folded({ text: secret.slice(0, mostCharacters) });
    if (this.known.has(text)) return;
    this.known.add(text);
    this.secrets.add(text, { label, open: secret.length > mostCharacters });
    this.searched.clear();
    this.leastCharacters = Math.min(this.leastCharacters, Math.ceil(text.length / 3));
    if (text.length >= anywhereCharacters)
      this.leastOctets = Math.min(this.leastOctets, /^[\0-\x7f]*$/.test(text) ? text.length : Math.ceil(text.length / 2));
  }

  /** What of a text is secret, as it is, however it is escaped, and in what it codes. */
  find(written: string): readonly Found[] {
    const known = this.searched.get(written);
    if (known !== undefined) return known;
    const found: Found[] = [];
    if (written.length >= this.leastCharacters)
      for (const read of decodings({ text: written }, this.leastOctets)) found.push(...this.standingIn(read));
    this.searched.set(written, found);
    return found;
  }

  isSearched(written: string): boolean {
    return this.searched.has(written);
  }

  /** What stands in one reading of a text, as places of the text that it was read from. */
  private standingIn(read: Traced): Found[] {
    const traced = folded(read);
    const { text } = traced;
    this.looked += leastCost + text.length;
    const found: Found[] = [];
    for (let at = 0; at < text.length; at += 1) {
      const secret = this.secrets.longestAt(text, at);
      if (secret === undefined) continue;
      const { label, open } = secret;
      let { end } = secret;
      if (open) while (end < text.length && !/\s/.test(text[end] as string)) end += 1;
      const [from, to] = place(traced, at, end);
      found.push({ from, to, label });
      // What stands in it is replaced with it.
      if (open) at = end - 1;
    }
    return found;
  }
}

/** A short one counts only where no letter or digit stands beside it. */
function counts(text: string, at: number, length: number): boolean {
  const isFree = (beside: number) => !/[\p{L}\p{N}]/u.test(text[beside] ?? ' ');
  return length >= anywhereCharacters || (isFree(at - 1) && isFree(at + length));
}

/** Texts by their characters, as far as these tell them apart, so that the time to find one does not grow with their number. */
class Tree {
  /** Of the text that ends here. */
  private entry: Entry | undefined;
  /** What goes on from here, as long as that is a single text, and otherwise by the next character. */
  private only: { readonly rest: string; readonly entry: Entry } | undefined;
  private readonly next = new Map<string, Tree>();

  add(rest: string, entry: Entry): void {
    if (rest === '') this.entry = entry;
    else if (this.next.size === 0 && this.only === undefined) this.only = { rest, entry };
    else {
      const { only } = this;
      this.only = undefined;
      if (only !== undefined) this.below(only.rest).add(only.rest.slice(1), only.entry);
      this.below(rest).add(rest.slice(1), entry);
    }
  }

  /** The longest one that stands here in a text and counts. */
  longestAt(text: string, from: number): (Entry & { readonly end: number }) | undefined {
    let longest: (Entry & { readonly end: number }) | undefined;
    let tree: Tree | undefined = this;
    for (let at = from; tree !== undefined; at += 1) {
      const { entry, only } = tree;
      if (entry !== undefined && counts(text, from, at - from)) longest = { ...entry, end: at };
      if (only !== undefined && text.startsWith(only.rest, at)) {
        const end = at + only.rest.length;
        if (counts(text, from, end - from)) longest = { ...only.entry, end };
      }
      tree = tree.next.get(text.charAt(at));
    }
    return longest;
  }

  private below(text: string): Tree {
    const first = text.charAt(0);
    const tree = this.next.get(first) ?? new Tree();
    this.next.set(first, tree);
    return tree;
  }
}
