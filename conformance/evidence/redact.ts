import type { Protocol } from '../../spec/index.js';
import { changeMarked, formWords, type HeaderLine } from '../wire/index.js';
import { credentialWords, type KnownUser } from './credential-words.js';
import { readings } from './decode.js';
import { publicWords } from './public-words.js';
import { anywhereCharacters, type Found, SecretIndex } from './secret-index.js';

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
  /** The same with something else in place of each secret, made from what is written there. */
  rewritten(text: string, by: (written: string) => string): string;
  /** A sentence of the kit, of which only the pieces marked as the target's are searched; those are cut, too. */
  sentence(text: string): string;
  header(line: HeaderLine): HeaderLine;
  /** What cannot be hidden in running text, each as a sentence for the reader of a report. */
  warnings(): string[];
}

/** How much of one piece of the target's text stands in a sentence. */
const pieceCharacters = 300;
/** A secret of one character stands in every word; a report without it could not be read. */
const leastCharacters = 2;

/** `publicTexts` are those that a report shows anyway, besides the literals of the protocol: names of collections, the base URL. */
export function createRedactor(protocol: Protocol, publicTexts: readonly string[] = []): Redactor {
  const index = new SecretIndex();
  const isPublic = publicWords(protocol, publicTexts);
  const users: KnownUser[] = [];
  const labels = new Map<string, string>();
  const counts = new Map<string, number>();
  const shown: string[] = [];
  const { scheme } = protocol.challenge;
  const { authorization, token } = protocol.headers;
  const credentials = new RegExp(`(\\b${literal(scheme)}[ \\t]+)([A-Za-z0-9+/_-]{2,}={0,2})`, 'gi');

  const canBeHidden = (value: string) => value.length >= leastCharacters && !isPublic(value);

  const hide = (value: string, label: string) => {
    if (!canBeHidden(value)) return;
    // One with an escape in it is found where everything is read, that escape too.
    for (const { text: read } of readings(value)) if (canBeHidden(read)) index.add(read, label);
    // Octets of UTF-8 that were read one by one.
    if (/[^\0-\x7f]/.test(value)) index.add(Buffer.from(value).toString('latin1'), label);
    // The codes of a short text are looked for as they are: in any word some octets of it could be found.
    if (value.length < anywhereCharacters)
      for (const coding of ['base64', 'base64url', 'hex'] as const) index.add(Buffer.from(value).toString(coding), label);
  };

  const secret = (value: string, label: string, form = '') => {
    if (value === '' || labels.has(value)) return;
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    const name = /\d$/.test(label) && count === 1 ? label : `${label} ${count}`;
    labels.set(value, `<${name}${form}>`);
    hide(value, `<${name}${form}>`);
    // The part behind the scheme is secret by itself.
    const [, given] = /^\S+[ \t]+(\S+)$/.exec(value) ?? [];
    if (given === undefined || !value.toLowerCase().startsWith(scheme.toLowerCase())) return;
    hide(given, `<${name}>`);
    // A target may decode them and write what it read. What is almost a paraphrase tells most of it.
    const read = Buffer.from(given, 'base64').toString();
    const almost = read.slice(read.indexOf(':') + 1);
    if (users.some(({ paraphrase }) => holdsHalf(almost, paraphrase))) hide(almost, `<${name}>`);
  };

  const text = (written: string, by = (_: string, label: string) => label) =>
    replaced(written, index.find(written), by).replace(credentials, (all: string, before: string, given: string) =>
      isPair(given) ? `${before}${by(given, '<credentials>')}` : all,
    );

  const header = ([name, value]: HeaderLine): HeaderLine => {
    const lower = name.toLowerCase();
    // A proxy may hand them on under another name: Proxy-Authorization, X-Forwarded-Authorization.
    const carries = (header: string) => lower === header.toLowerCase() || lower.endsWith(`-${header.toLowerCase()}`);
    if (carries(authorization) && !carries(token)) return [text(name), credentialWords(value, scheme, users)];
    if (carries(token) && value !== '') {
      const known = text(value);
      return [text(name), known === value ? `<token: ${formWords(value)}>` : known];
    }
    return [text(name), text(value)];
  };

  const shortened = (piece: string) => (piece.length > pieceCharacters ? `${piece.slice(0, pieceCharacters)}…` : piece);

  return {
    secret: (value, label) => secret(value, label),
    token: (value, label = 'token') => secret(value, label, `: ${formWords(value)}`),
    user(id, paraphrase) {
      if (users.some((each) => each.id === id && each.paraphrase === paraphrase)) return;
      users.push({ id, paraphrase });
      secret(paraphrase, `paraphrase of user ${id}`);
      if (paraphrase !== '' && !canBeHidden(paraphrase)) shown.push(id);
      for (const encoding of ['utf8', 'latin1'] as const) {
        secret(Buffer.from(`${id}:${paraphrase}`, encoding).toString('base64'), `credentials of user ${id}`);
      }
    },
    text: (written) => text(written),
    rewritten: text,
    sentence: (written) => changeMarked(written, (piece) => shortened(text(piece))),
    header,
    warnings: () =>
      shown.map(
        (id) => `The paraphrase of user ${id} is too short or too common a word to be hidden in reports; use a longer one for tests.`,
      ),
  };
}

/** The text with its secrets replaced. Those that overlap are replaced together, so that no part of one stays. */
function replaced(text: string, found: readonly Found[], by: (written: string, label: string) => string): string {
  const joined: Found[] = [];
  for (const each of [...found].sort((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last === undefined || each.from >= last.to) joined.push(each);
    else joined[joined.length - 1] = { ...last, to: Math.max(last.to, each.to) };
  }
  let result = '';
  let end = 0;
  for (const { from, to, label } of joined) {
    result += `${text.slice(end, from)}${by(text.slice(from, to), label)}`;
    end = to;
  }
  return result + text.slice(end);
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
