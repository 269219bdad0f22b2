import type { Protocol } from '../../spec/index.js';
import { changeMarked, formWords, type HeaderLine } from '../wire/index.js';
import { credentialWords, type KnownUser } from './credential-words.js';
import { publicWords } from './public-words.js';
import { formsOf, isPlain, longestWord } from './redact-forms.js';
import { FormIndex } from './redact-index.js';

/** Takes secrets out of what came from the target and went to it. What the kit itself says never passes through it. */
export interface Redactor {
  /** From now on this value is replaced by its label in angle brackets. Values that share a label are numbered. */
  secret(value: string, label: string): void;
  /** A token, or a value near one. Its label says which, and what it looks like. */
  token(value: string, label?: string): void;
  /** The paraphrase of a user and every way in which the pair of both is sent. */
  user(id: string, paraphrase: string): void;
  /** A text that is the target's, or went to it, as a whole. */
  text(text: string): string;
  /** A sentence of the kit, of which only the pieces marked as the target's are searched; those are cut, too. */
  sentence(text: string): string;
  header(line: HeaderLine): HeaderLine;
}

/** How much of one piece of the target's text stands in a sentence. */
const pieceCharacters = 300;
/** No form of a secret longer than this is shorter than the secret itself. */
const longEnough = 16;

/** Secrets whose forms are not made yet. */
class PendingSecrets {
  /** No text shorter than this holds one of them. */
  shortest = Number.POSITIVE_INFINITY;
  private secrets: (readonly [value: string, label: string])[] = [];

  add(value: string, label: string): void {
    this.secrets.push([value, label]);
    this.shortest = Math.min(this.shortest, value.length <= longEnough ? 0 : value.length);
  }

  take(): readonly (readonly [value: string, label: string])[] {
    const taken = this.secrets;
    this.secrets = [];
    this.shortest = Number.POSITIVE_INFINITY;
    return taken;
  }
}

/** `publicTexts` are those that a report shows anyway, besides the literals of the protocol: names of collections, the base URL. */
export function createRedactor(protocol: Protocol, publicTexts: readonly string[] = []): Redactor {
  const index = new FormIndex();
  const isPublic = publicWords(protocol, publicTexts);
  const users: KnownUser[] = [];
  const labels = new Map<string, string>();
  const counts = new Map<string, number>();
  /** A run sees many tokens and writes few texts that are long enough to hold one, so forms are made when such a text comes. */
  const words = new PendingSecrets();
  const texts = new PendingSecrets();
  const { scheme } = protocol.challenge;
  const { authorization, token } = protocol.headers;
  const credentials = new RegExp(`(\\b${literal(scheme)}[ \\t]+)([A-Za-z0-9+/_-]{2,}={0,2})`, 'gi');

  const secret = (value: string, label: string, form = '') => {
    if (value === '' || labels.has(value)) return;
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    const shown = /\d$/.test(label) && count === 1 ? `<${label}${form}>` : `<${label} ${count}${form}>`;
    labels.set(value, shown);
    (isPlain(value) ? words : texts).add(value, shown);
    // The part behind the scheme is secret by itself.
    const [, given] = /^\S+[ \t]+(\S+)$/.exec(value) ?? [];
    if (given === undefined || !value.toLowerCase().startsWith(scheme.toLowerCase())) return;
    texts.add(given, shown);
    // A target may decode them and write what it read. What is almost a paraphrase tells most of it.
    const read = Buffer.from(given, 'base64').toString();
    const almost = read.slice(read.indexOf(':') + 1);
    if (users.some(({ paraphrase }) => holdsHalf(almost, paraphrase))) texts.add(almost, shown);
  };

  const enter = (waiting: PendingSecrets) => {
    for (const [value, shown] of waiting.take()) for (const form of formsOf(value)) if (!isPublic(form)) index.add(form, shown);
  };

  const text = (written: string) => {
    if (written.length >= texts.shortest) enter(texts);
    if (written.length >= words.shortest && longestWord(written) >= words.shortest) enter(words);
    return index
      .replace(written)
      .replace(credentials, (all: string, before: string, given: string) => (isPair(given) ? `${before}<credentials>` : all));
  };

  const header = ([name, value]: HeaderLine): HeaderLine => {
    const lower = name.toLowerCase();
    if (lower === authorization.toLowerCase()) return [name, credentialWords(value, scheme, users)];
    if (lower === token.toLowerCase() && value !== '') {
      const known = text(value);
      return [name, known === value ? `<token: ${formWords(value)}>` : known];
    }
    return [text(name), text(value)];
  };

  const shortened = (piece: string) => (piece.length > pieceCharacters ? `${piece.slice(0, pieceCharacters)}…` : piece);

  return {
    secret: (value, label) => secret(value, label),
    token: (value, label = 'token') => secret(value, label, `: ${formWords(value)}`),
    user(id, paraphrase) {
      users.push({ id, paraphrase });
      secret(paraphrase, `paraphrase of user ${id}`);
      for (const encoding of ['utf8', 'latin1'] as const) {
        secret(Buffer.from(`${id}:${paraphrase}`, encoding).toString('base64'), `credentials of user ${id}`);
      }
    },
    text,
    sentence: (written) => changeMarked(written, (piece) => shortened(text(piece))),
    header,
  };
}

/** Whether the first or the second half of a paraphrase stands in a text, in any letter case. */
function holdsHalf(text: string, paraphrase: string): boolean {
  const half = Math.ceil(paraphrase.length / 2);
  return half >= 3 && [paraphrase.slice(0, half), paraphrase.slice(-half)].some((part) => text.toLowerCase().includes(part.toLowerCase()));
}

/** Tells credentials, which are base64 of two texts with a colon between, from an ordinary word after the name of the scheme. */
function isPair(given: string): boolean {
  return /^[\x20-\x7e]*:/.test(Buffer.from(given, 'base64').toString('latin1'));
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
