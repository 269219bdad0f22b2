/** A text to be found. */
export interface Form {
  readonly text: string;
  /** Counts only where no letter or digit stands beside it. */
  readonly delimited: boolean;
  /** The text is only a beginning. Everything up to the next blank is replaced. */
  readonly open?: boolean;
}

interface Entry extends Form {
  readonly label: string;
}

const prefixLength = 3;

/** Finds many texts in one pass, without regard to letter case. */
export class FormIndex {
  /** By the first characters, then by length, longest first, so that the time does not grow with the number of secrets. */
  private readonly byPrefix = new Map<string, { readonly length: number; readonly entries: Map<string, Entry> }[]>();
  private readonly known = new Set<string>();
  /** Which pairs of characters begin a form. Most places of a text are passed over by this alone. */
  private readonly beginnings = new Uint8Array(65_536);

  add(written: Form, label: string): void {
    const form = { ...written, text: lowered(written.text) };
    if (this.known.has(form.text)) return;
    this.known.add(form.text);
    const prefix = form.text.slice(0, prefixLength);
    const lengths = this.byPrefix.get(prefix) ?? [];
    this.byPrefix.set(prefix, lengths);
    let group = lengths.find(({ length }) => length === form.text.length);
    if (group === undefined) {
      group = { length: form.text.length, entries: new Map() };
      lengths.push(group);
      lengths.sort((one, other) => other.length - one.length);
    }
    group.entries.set(form.text, { ...form, label });
    this.beginnings[pair(form.text, 0)] = 1;
  }

  /** Replaces everything found. Overlapping finds are replaced together, so that no part of a secret stays. */
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
      if (found.open === true) while (end < text.length && !/\s/.test(text[end] as string)) end += 1;
    }
    if (end === 0) return text;
    return result + label + text.slice(end);
  }

  private longestAt(lower: string, at: number): Entry | undefined {
    for (const { length, entries } of this.byPrefix.get(lower.slice(at, at + prefixLength)) ?? []) {
      const entry = entries.get(lower.slice(at, at + length));
      if (entry === undefined) continue;
      if (!entry.delimited || (stands(lower, at - 1) && stands(lower, at + length))) return entry;
    }
    return undefined;
  }
}

function pair(text: string, at: number): number {
  return ((text.charCodeAt(at) & 0xff) << 8) | (text.charCodeAt(at + 1) & 0xff);
}

function stands(lower: string, beside: number): boolean {
  return !/[a-z0-9]/.test(lower[beside] ?? ' ');
}

/** Lowers ASCII letters only, because other letters may change the length of the text. */
function lowered(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
