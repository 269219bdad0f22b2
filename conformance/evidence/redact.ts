import { isUtf8 } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import { count, type Protocol } from '../../spec/index.js';
import type { User } from '../options.js';
import { changeMarked, formWords, type HeaderLine } from '../wire/index.js';
import { readings } from './decode.js';
import { anywhereCharacters, type Found, SecretIndex } from './secret-index.js';

/** Takes secrets out of what came from the target and went to it. What the kit itself says never passes through it. */
export type Redactor = ReturnType<typeof createRedactor>;

/** How much of one piece of the target's text stands in a sentence. */
const pieceCharacters = 300;
/** From so many octets on a piece may be the beginning of a longer one. */
const cutOctets = 4090;
/** Where a text goes on, so much of its end may be a part of a secret, and is not shown. */
export const unsureCharacters = 2048;
/** A secret of one character stands in every word; a report without it could not be read. */
const leastCharacters = 2;
/** So many characters are looked at for one report: a target can write what takes a hundred times as long to search as other texts. */
const mostCharacters = 2_000_000;
/** With so many what is not quite a paraphrase is compared; a client that makes users up has thousands. */
const mostUsers = 200;

/** `publicTexts` are those that a report shows anyway, besides the literals of the protocol: names of collections, the base URL. */
export function createRedactor(protocol: Protocol, publicTexts: readonly string[] = [], mostLooked = mostCharacters) {
  const index = new SecretIndex();
  const isPublic = publicWords(protocol, publicTexts);
  const users: User[] = [];
  const pairs = new Set<string>();
  const known = new Set<string>();
  const counts = new Map<string, number>();
  const shown: string[] = [];
  const { scheme } = protocol.challenge;
  const { authorization, token } = protocol.headers;
  const credentials = new RegExp(`(\\b${literal(scheme)}[ \\t]+)([A-Za-z0-9+/_-]{2,}={0,2})`, 'gi');

  const canBeHidden = (value: string) => value.length >= leastCharacters && !isPublic(value);

  const hide = (value: string, label: string) => {
    if (!canBeHidden(value)) return;
    // One with an escape in it is found where everything is read, that escape too.
    for (const { text: read } of readings({ text: value })) if (canBeHidden(read)) index.add(read, label);
    for (const read of misread(value)) index.add(read, label);
    // The codes of a short text are looked for as they are: in any word some octets of it could be found.
    if (value.length < anywhereCharacters)
      for (const coding of ['base64', 'base64url', 'hex'] as const) index.add(Buffer.from(value).toString(coding), label);
  };

  const secret = (value: string, label: string, form = '') => {
    if (value === '' || known.has(value)) return;
    known.add(value);
    const number = (counts.get(label) ?? 0) + 1;
    counts.set(label, number);
    const name = /\d$/.test(label) && number === 1 ? label : `${label} ${number}`;
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

  /** Tells credentials, which are base64 of two texts with a colon between, from an ordinary word after the name of the scheme. */
  const isPair = (given: string) => /^[\x20-\x7e]*:/.test(Buffer.from(given, 'base64').toString('latin1'));

  const rewritten = (written: string, by: (written: string, label: string) => string) =>
    replaced(written, index.find(written), by).replace(credentials, (all: string, before: string, given: string) =>
      isPair(given) ? `${before}${by(given, '<credentials>')}` : all,
    );

  const text = (written: string) =>
    index.looked < mostLooked || index.isSearched(written)
      ? rewritten(written, (_, label) => label)
      : `<${count(written.length, 'character')} that took too long to search for secrets>`;

  const header = ([name, value]: HeaderLine): HeaderLine => {
    const lower = name.toLowerCase();
    // A proxy may hand them on under another name: Proxy-Authorization, X-Forwarded-Authorization.
    const carries = (header: string) => lower === header.toLowerCase() || lower.endsWith(`-${header.toLowerCase()}`);
    if (carries(authorization) && !carries(token)) return [text(name), credentialWords(value, scheme, { users, known })];
    const isUnknown = carries(token) && value !== '' && text(value) === value;
    return [text(name), isUnknown ? `<token: ${formWords(value)}>` : text(value)];
  };

  const shortened = (piece: string) => {
    const read = text(piece);
    const sure = Buffer.byteLength(piece) < cutOctets ? read.length : read.length - unsureCharacters;
    const shown = Math.min(pieceCharacters, Math.max(0, sure));
    return read.length > shown ? `${read.slice(0, shown)}…` : read;
  };

  return {
    /** From now on this value is replaced by its label in angle brackets. Values that share a label are numbered. */
    secret: (value: string, label: string) => secret(value, label),
    /** A token, or a value near one. Its label says which, and what it looks like. */
    token: (value: string, label = 'token') => secret(value, label, `: ${formWords(value)}`),
    /** The paraphrase of a user and every way in which the pair of both is sent. */
    user(id: string, paraphrase: string) {
      const pair = `${id}:${paraphrase}`;
      if (pairs.has(pair)) return;
      pairs.add(pair);
      if (users.length < mostUsers) users.push({ id, paraphrase });
      secret(paraphrase, `paraphrase of user ${id}`);
      if (paraphrase !== '' && !canBeHidden(paraphrase)) shown.push(id);
      for (const encoding of ['utf8', 'latin1'] as const)
        secret(Buffer.from(pair, encoding).toString('base64'), `credentials of user ${id}`);
    },
    /** A text that is the target's, or went to it, as a whole. */
    text,
    /** The same with something else in place of each secret, made from what is written there. */
    rewritten,
    /** A sentence of the kit, of which only the pieces marked as the target's are searched; those are cut, too. */
    sentence: (written: string) => changeMarked(written, shortened),
    header,
    /** What cannot be hidden in running text, each as a sentence for the reader of a report. */
    warnings: () =>
      shown.map(
        (id) => `The paraphrase of user ${id} is too short or too common a word to be hidden in reports; use a longer one for tests.`,
      ),
  };
}

/** The pair that credentials code, whatever scheme stands before it. */
export function pairIn(authorization: string): User | undefined {
  const octets = Buffer.from(authorization.trim().replace(/^\S+\s+/, ''), 'base64');
  const [, id, paraphrase] = /^([^:]*):(.*)$/s.exec(octets.toString(isUtf8(octets) ? 'utf8' : 'latin1')) ?? [];
  return id === undefined || paraphrase === undefined ? undefined : { id, paraphrase };
}

/**
 * How a text in Latin-1 or UTF-16 looks where its octets are read one by one or as UTF-8, which leaves something else of its accents. In ASCII
 * every second octet of UTF-16 is nothing, and is passed over where all is read.
 */
function misread(text: string): string[] {
  if (/^[\0-\x7f]*$/.test(text)) return [];
  const spelled = [text, text.toUpperCase(), text.toLowerCase()].flatMap((each) => [each, each.normalize('NFC'), each.normalize('NFD')]);
  const octets = spelled.flatMap((each) => {
    const pairs = Buffer.from(each, 'utf16le');
    return [pairs, Buffer.from(pairs).swap16(), /^[\0-\xff]*$/.test(each) ? Buffer.from(each, 'latin1') : []].flat();
  });
  const read = octets.flatMap((each) => [each.toString('latin1'), each.toString()]).map((each) => each.replace(/^\0|\0$/g, ''));
  // What could not be read at all looks like every other such text.
  return read.filter((each) => each.replaceAll('\ufffd', '').length * 2 > each.length);
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

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const shownIdCharacters = 40;

/** An Authorization value by its form: "Basic <id 1.0 and the right paraphrase>". Nothing of a paraphrase is in it. */
function credentialWords(value: string, scheme: string, secrets: Secrets): string {
  const [, word = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(value) ?? [];
  const isScheme = ['', scheme, `x${scheme}`, 'bearer', 'digest'].some((each) => each.toLowerCase() === word.toLowerCase());
  if (rest === '') return isScheme ? value : `<${count(value.length, 'character')} without a blank>`;
  return `${isScheme ? word : `<${count(word.length, 'character')}>`} <${pairWords(rest.trim(), secrets)}>`;
}

/** The first users, and all that is secret. */
type Secrets = { readonly users: readonly User[]; readonly known: ReadonlySet<string> };

function pairWords(coded: string, secrets: Secrets): string {
  const octets = Buffer.from(coded, 'base64');
  if (octets.toString('base64').replace(/=+$/, '') !== coded.replace(/=+$/, ''))
    return `${count(coded.length, 'character')}, which are not base64`;
  const colon = octets.indexOf(':');
  if (colon < 0) return `base64 of ${count(octets.length, 'octet')} without a colon`;
  const id = octets.toString('utf8', 0, colon);
  return `${idWords(id, secrets)} and ${paraphraseWords(id, octets.subarray(colon + 1), secrets)}`;
}

function idWords(id: string, { users, known }: Secrets): string {
  if (id === '') return 'no id';
  const isSecret = known.has(id) || users.some(({ paraphrase }) => paraphrase.length > 2 && id.includes(paraphrase));
  return isSecret || !/^[ -~]+$/.test(id) || id.length > shownIdCharacters
    ? `an id of ${count(id.length, 'character')}`
    : `id ${/^[-+.\w]+$/.test(id) ? id : JSON.stringify(id)}`;
}

function paraphraseWords(id: string, octets: Buffer, { users }: Secrets): string {
  if (octets.length === 0) return 'no paraphrase';
  const isOf = ({ paraphrase }: User) => octets.equals(Buffer.from(paraphrase)) || octets.equals(Buffer.from(paraphrase, 'latin1'));
  const owners = users.filter(isOf);
  const [owner] = owners;
  if (owner === undefined) return `a paraphrase of ${count(octets.length, 'octet')}${users.length < mostUsers ? ', which nobody has' : ''}`;
  // Another spelling of the same integer is meant for the same user.
  const isRight = owners.some((user) => user.id === id || (/^\s*[-+]?\d+(\.0*)?\s*$/.test(id) && Number(user.id) === Number(id)));
  return isRight ? 'the right paraphrase' : `the paraphrase of user ${owner.id}`;
}

/**
 * Whether a text is one that everybody reads anyway: a word of the protocol, a status, the name of a collection. A secret that is equal
 * to one is not replaced in running text, because the gap would show what it is.
 */
function publicWords(protocol: Protocol, publicTexts: readonly string[]): (text: string) => boolean {
  const statuses = new Set(Object.entries(STATUS_CODES).flatMap(([status, reason = '']) => [status, reason.toLowerCase()]));
  const all = [...literals(protocol), ...publicTexts].join('\n').toLowerCase();
  return (text) => {
    const word = text.toLowerCase();
    // To make a pattern takes longer than all else that is done with a secret.
    return statuses.has(word) || (all.includes(word) && new RegExp(`(?<![a-z0-9])${literal(word)}(?![a-z0-9])`).test(all));
  };
}

/** Every text in the protocol, with the names under which messages keep them. */
function literals(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return [];
  return Object.entries(value).flatMap(([key, each]) => [key, ...literals(each)]);
}
