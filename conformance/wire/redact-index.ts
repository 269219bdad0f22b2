/** A text to be found. */
export interface Form {
  readonly text: string;
  /** Counts only where no letter or digit stands beside it. */
  readonly delimited: boolean;
}

interface Entry extends Form {
  readonly label: string;
}

const prefixLength = 3;

/** Finds many texts in one pass, without regard to letter case. */
export class FormIndex {
  private readonly byPrefix = new Map<string, Entry[]>();
  private readonly known = new Set<string>();
  /** Whether any form begins with two characters such as these: most places of a text are passed over by it. */
  private readonly beginnings = new Uint8Array(65_536);

  add({ text: written, delimited }: Form, label: string): void {
    const form = { text: lowered(written), delimited };
    if (this.known.has(form.text)) return;
    this.known.add(form.text);
    const prefix = form.text.slice(0, prefixLength);
    const entries = this.byPrefix.get(prefix);
    if (entries === undefined) this.byPrefix.set(prefix, [{ ...form, label }]);
    else entries.push({ ...form, label });
    this.beginnings[pair(form.text, 0)] = 1;
  }

  /** Replaces everything found; what overlaps is replaced together, so that no rest of a secret stays. */
  replace(text: string): string {
    if (this.known.size === 0) return text;
    const lower = lowered(text);
    let result = '';
    let copied = 0;
    let end = 0;
    let label = '';
    for (let at = 0; at + prefixLength <= lower.length; at += 1) {
      if (this.beginnings[pair(lower, at)] === 0) continue;
      const found = this.longestAt(lower, at);
      if (found === undefined) continue;
      if (at >= end) {
        if (end > copied) result += label;
        result += text.slice(Math.max(copied, end), at);
        copied = at;
        label = found.label;
      }
      end = Math.max(end, at + found.text.length);
    }
    if (end === 0) return text;
    return result + label + text.slice(end);
  }

  private longestAt(lower: string, at: number): Entry | undefined {
    let longest: Entry | undefined;
    for (const entry of this.byPrefix.get(lower.slice(at, at + prefixLength)) ?? []) {
      if (longest !== undefined && entry.text.length <= longest.text.length) continue;
      if (!lower.startsWith(entry.text, at)) continue;
      if (entry.delimited && !(stands(lower, at - 1) && stands(lower, at + entry.text.length))) continue;
      longest = entry;
    }
    return longest;
  }
}

function pair(text: string, at: number): number {
  return ((text.charCodeAt(at) & 0xff) << 8) | (text.charCodeAt(at + 1) & 0xff);
}

function stands(lower: string, beside: number): boolean {
  return !/[a-z0-9]/.test(lower[beside] ?? ' ');
}

/** Letters of ASCII only: others change their length or depend on what stands beside them, and places in a text must stay. */
export function lowered(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
