import { readBody, textOf } from '../expect/index.js';
import type { Answer } from '../wire/index.js';
import { isSuccess } from './grants.js';

const mostDocuments = 20;
const mostMarks = 40;
/** A shorter document may stand in a refusal by chance. */
const fewestCharacters = 60;
const mostCharacters = 200_000;
/** A longer text is no address, and no name that anybody could use. */
const isName = (value: unknown): value is string => typeof value === 'string' && value.length <= 2000;

/** What was served to valid tokens, to know it again in the body of a refusal. */
export class ServedRecord {
  /** Every text in them that may be an address, contexts first. */
  readonly addresses = new Set<string>();

  /** Each with the names of the members that it lists, as JSON writes them. */
  private readonly known = new Map<string, readonly string[]>();

  /** A vocabulary is recognised only as a whole, because other documents may name its terms. */
  note(answer: Answer, isVocabulary: boolean): void {
    if (this.known.size >= mostDocuments) return;
    const text = plain(textOf(answer));
    if (text.length < fewestCharacters || this.known.has(text)) return;
    const { value } = readBody(answer);
    this.known.set(text, isVocabulary ? [] : marksOf(value));
    for (const each of addressesIn(value)) this.addresses.add(each);
  }

  /** Whether the body holds such a document whole, or the names of two members that it lists; titles and contexts are shared by many. */
  isIn(answer: Answer): boolean {
    return !isSuccess(answer) && this.isHeldBy(answer);
  }

  /** The same of any answer. */
  isHeldBy(answer: Answer): boolean {
    if (answer.body.length === 0 || this.known.size === 0) return false;
    const body = plain(textOf(answer));
    return [...this.known].some(([text, marks]) => body.includes(text) || marks.filter((mark) => body.includes(mark)).length > 1);
  }
}

/** Texts that look like an address: those of contexts, and the names of nodes. */
function addressesIn(document: unknown): string[] {
  const found: string[] = [];
  const visit = (value: unknown, isContext: boolean): void => {
    if (found.length >= mostMarks) return;
    if (isName(value) && /^(https?:\/)?\/[^\s]*$/.test(value)) found[isContext ? 'unshift' : 'push'](value);
    else if (Array.isArray(value)) for (const each of value) visit(each, isContext);
    else if (typeof value === 'object' && value !== null)
      for (const [key, member] of Object.entries(value)) visit(member, isContext || key === '@context');
  };
  visit(document, false);
  return found;
}

/** The same text where a server escapes slashes in one of two documents. */
function plain(text: string): string {
  // A copy, for a part of a text holds on to all of it.
  const kept = text.length > mostCharacters ? Buffer.from(text.slice(0, mostCharacters)).toString() : text;
  return kept.trim().replaceAll('\\/', '/');
}

/** The names of all nodes in lists, but for what a context says. */
function marksOf(document: unknown): string[] {
  const marks = new Set<string>();
  const visit = (value: unknown, isListed: boolean): void => {
    if (marks.size >= mostMarks || typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const each of value) visit(each, true);
      return;
    }
    for (const [key, member] of Object.entries(value)) {
      if (key === '@context') continue;
      if (isListed && (key === '@id' || key === 'id') && isName(member)) marks.add(JSON.stringify(member));
      else visit(member, false);
    }
  };
  visit(document, false);
  return [...marks];
}
