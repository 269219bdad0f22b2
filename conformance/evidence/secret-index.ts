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
/** To look at any text takes as long as so many characters of it. */
const leastCost = 16;

/** Finds many texts in one pass, however they are folded. */
export class SecretIndex {
  /** No text of fewer characters, and no code of fewer octets, holds a secret that is found anywhere. A letter may be three when it is folded. */
  private leastCharacters = Number.POSITIVE_INFINITY;
  private leastOctets = Number.POSITIVE_INFINITY;
  /** When it is folded, a text may be longer than it was. */
  private longest = 0;
  private readonly entries = new Map<string, Entry>();
  /** By their first characters, so that the time does not grow with their number. */
  private readonly alike = new Map<string, Alike>();
  /** What each text holds: most texts of a run are the same. */
  private readonly searched = new Map<string, readonly Found[]>();
  /** How many characters were looked at, each as often as it was read in another way. */
  looked = 0;

  add(secret: string, label: string): void {
    const { text } = folded({ text: secret.slice(0, mostCharacters) });
    if (this.entries.has(text)) return;
    this.entries.set(text, { label, open: secret.length > mostCharacters });
    this.searched.clear();
    const prefix = text.slice(0, prefixLength);
    const alike = this.alike.get(prefix) ?? new Alike();
    this.alike.set(prefix, alike);
    alike.add(text);
    this.longest = Math.max(this.longest, text.length);
    this.leastCharacters = Math.min(this.leastCharacters, Math.ceil(text.length / 3));
    if (text.length >= anywhereCharacters)
      this.leastOctets = Math.min(this.leastOctets, /^[\0-\x7f]*$/.test(text) ? text.length : Math.ceil(text.length / 2));
  }

  /** What of a text is secret, as it is, however it is escaped, and in what it codes. */
  find(written: string): readonly Found[] {
    const found = this.searched.get(written) ?? this.search(written, mostCodings);
    this.searched.set(written, found);
    return found;
  }

  isSearched(written: string): boolean {
    return this.searched.has(written);
  }

  private search(written: string, codings: number): Found[] {
    if (written.length < this.leastCharacters) return [];
    return readings(written).flatMap((traced) => {
      const direct = this.standingIn(traced);
      if (codings === 0 || this.leastOctets > traced.text.length) return direct;
      const coded = codedIn(traced.text, this.leastOctets).flatMap(({ from, to, texts }) => {
        const [within] = texts.flatMap((text) => this.search(text, isReadable(text) ? codings - 1 : 0).slice(0, 1));
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
    this.looked += leastCost + text.length;
    const found: Found[] = [];
    for (let at = 0; at + prefixLength <= text.length; at += 1) {
      const there = this.alike.get(text.slice(at, at + prefixLength))?.beginning(text.slice(at, at + this.longest)) ?? [];
      const secret = there.find(({ length }) => counts(text, at, length));
      if (secret === undefined) continue;
      const { label, open } = this.entries.get(secret) as Entry;
      let end = at + secret.length;
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

/** Texts that begin alike, in their order. */
class Alike {
  private texts: string[] = [];
  /** Of each, the place of the longest other one that it begins with. */
  private within: (number | undefined)[] | undefined;

  add(text: string): void {
    this.texts.push(text);
    this.within = undefined;
  }

  /** Those with which a text begins, the longest first. All of them begin the last one that is not behind it in their order. */
  beginning(text: string): string[] {
    this.within ??= this.ordered();
    let [low, high] = [0, this.texts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.texts[middle] as string) <= text) low = middle + 1;
      else high = middle;
    }
    const last = this.texts[low - 1] ?? '';
    let common = 0;
    while (common < last.length && last[common] === text[common]) common += 1;
    const found: string[] = [];
    for (let place = low > 0 ? low - 1 : undefined; place !== undefined; place = this.within[place]) {
      const each = this.texts[place] as string;
      if (each.length <= common) found.push(each);
    }
    return found;
  }

  private ordered(): (number | undefined)[] {
    this.texts.sort();
    const open: number[] = [];
    return this.texts.map((text, place) => {
      while (open.length > 0 && !text.startsWith(this.texts[open.at(-1) as number] as string)) open.pop();
      const within = open.at(-1);
      open.push(place);
      return within;
    });
  }
}
