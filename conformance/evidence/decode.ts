import { isUtf8 } from 'node:buffer';

/** A text, and for each of its characters the piece of the original text that it was read from. */
export interface Traced {
  readonly text: string;
  readonly starts?: readonly number[];
  readonly ends?: readonly number[];
  /** All of it was read from this piece, which codes it. */
  readonly code?: Piece;
}

type Piece = readonly [from: number, to: number];

/** Where characters of a traced text stand in the original. */
export function place({ starts, ends, code }: Traced, from: number, to: number): Piece {
  return code ?? [starts?.[from] ?? from, ends?.[to - 1] ?? to];
}

/** The names of HTML 2 for the characters of Latin-1 from the no-break space on, in their order. */
const latin1Names =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const htmlNames = new Map([
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
  ...latin1Names.split(' ').map((name, index): [string, string] => [name, String.fromCharCode(0xa0 + index)]),
]);
const jsonNames: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** One way to write characters by others. Octets in a row are one text. */
interface Escape {
  readonly pattern: RegExp;
  readonly read: (written: string) => string;
}

const escapes: readonly Escape[] = [
  { pattern: /(?:%[0-9a-f]{2})+/gi, read: octetText },
  { pattern: /%u[0-9a-f]{4}/gi, read: (written) => codePoint(written.slice(2), 16) },
  // All at once, from left to right: the second of two backslashes begins nothing.
  {
    pattern: /(?:\\[xX][0-9a-fA-F]{2})+|(?:\\[0-3][0-7]{2})+|\\[uU](?:[0-9a-fA-F]{4}|\{[0-9a-fA-F]{1,6}\})|\\["'\\/bfnrt]/g,
    read: (written) => {
      if (/^\\[x\d]/i.test(written)) return octetText(written);
      if (/^\\u/i.test(written)) return codePoint(written.replace(/[\\u{}]/gi, ''), 16);
      return jsonNames[written.charAt(1)] ?? written.charAt(1);
    },
  },
  { pattern: /&#\d{1,7};?/g, read: (written) => codePoint(written.replace(/\D/g, ''), 10) },
  { pattern: /&#x[0-9a-f]{1,6};?/gi, read: (written) => codePoint(written.replace(/&#x|;/gi, ''), 16) },
  { pattern: /&[A-Za-z]{2,6}[1-4]{0,2};/g, read: (written) => htmlNames.get(written.slice(1, -1)) ?? written },
];
/** Quoted-printable goes by itself, because `name=abcd` is no escape in most texts. */
const quotedPrintable: readonly Escape[] = [
  { pattern: /(?:=[0-9A-F]{2})+/gi, read: octetText },
  { pattern: /=\r?\n/g, read: () => '' },
];

/** UTF-16 that was read octet by octet. */
const wide: readonly Escape[] = [{ pattern: /\0/g, read: () => '' }];
/** The same of UTF-8. */
const narrow: readonly Escape[] = [
  {
    pattern: /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g,
    read: (written) => Buffer.from(written, 'latin1').toString(),
  },
];

/** So often may a text be escaped anew, and so many readings of one text are looked at. */
const most = { depth: 5, readings: 12 };
/** So often may what octets say be coded anew: base64 of base64 of base64. */
const mostCodings = 3;

/** All that a text says: as it is, with its escapes read, and what at least so many octets in it code, which is read in the same way. */
export function* decodings(traced: Traced, leastOctets: number, codings = mostCodings): Generator<Traced> {
  for (const read of readings(traced)) {
    yield read;
    if (codings === 0 || leastOctets > read.text.length) continue;
    for (const coded of codedIn(read, leastOctets)) yield* decodings(coded, leastOctets, isReadable(coded.text) ? codings - 1 : 0);
  }
}

/** The text as it is and with its escapes read, again and again until nothing changes. */
export function readings(traced: Traced): Traced[] {
  const found = [traced];
  const known = new Set([traced.text]);
  let last = found;
  for (let depth = 0; depth < most.depth && last.length > 0 && found.length < most.readings; depth += 1) {
    last = last.flatMap((each) =>
      [escapes, quotedPrintable, wide, narrow].flatMap((kinds) => {
        const read = kinds.reduce(rewritten, each);
        if (known.has(read.text)) return [];
        known.add(read.text);
        return [read];
      }),
    );
    found.push(...last);
  }
  return found;
}

/** The text with every match replaced. Each character of a replacement comes from the whole match, or from its share of equal octets. */
function rewritten(traced: Traced, { pattern, read }: Escape): Traced {
  if (traced.text.search(pattern) < 0) return traced;
  const [starts, ends]: [number[], number[]] = [[], []];
  let text = '';
  const take = (written: string, from: number, to: number) => {
    const isEven = written.length > 1 && (to - from) % written.length === 0;
    const share = isEven ? (to - from) / written.length : to - from;
    for (let at = 0; at < written.length; at += 1) {
      const begin = from + (isEven ? at * share : 0);
      const [first, end] = place(traced, begin, begin + share);
      starts.push(first);
      ends.push(end);
    }
    text += written;
  };
  let copied = 0;
  for (const match of traced.text.matchAll(pattern)) {
    take(traced.text.slice(copied, match.index), copied, match.index);
    copied = match.index + match[0].length;
    take(read(match[0]), match.index, copied);
  }
  take(traced.text.slice(copied), copied, traced.text.length);
  return { text, starts, ends };
}

/** Without regard to letter case, to how accents are composed, and to whether a form writes its blanks as plus signs. */
export function folded(traced: Traced): Traced {
  if (/^[\0-\x7f]*$/.test(traced.text)) return { ...traced, text: traced.text.toLowerCase().replaceAll('+', ' ') };
  return rewritten(traced, { pattern: /[+A-Z]|[^\0-\x7f]/gu, read: foldedCharacter });
}

/** To fold a character anew each time takes ten times as long. */
const foldedCharacters = new Map([['+', ' ']]);

function foldedCharacter(character: string): string {
  const made = foldedCharacters.get(character) ?? character.normalize('NFD').toUpperCase().toLowerCase().normalize('NFD');
  foldedCharacters.set(character, made);
  return made;
}

function codePoint(digits: string, base: number): string {
  const code = Number.parseInt(digits, base);
  return code > 0x10ffff ? '' : String.fromCodePoint(code);
}

/** Octets by two hexadecimal or, behind a backslash, three octal digits each. */
function octetText(written: string): string {
  const [digits, base] = /^\\\d/.test(written) ? [/\d{3}/g, 8] : [/[0-9a-f]{2}/gi, 16];
  const octets = Buffer.from((written.match(digits) ?? []).map((each) => Number.parseInt(each, base)));
  return octets.toString(isUtf8(octets) ? 'utf8' : 'latin1');
}

/** What stretches of a text may say that stand for at least so many octets. */
function codedIn(traced: Traced, leastOctets: number): Traced[] {
  const kinds: readonly (readonly [RegExp, (run: string) => Buffer[]])[] = [
    // A code of some length is mostly broken into lines.
    [new RegExp(`(?:[A-Za-z0-9+/_-](?:\\r?\\n[ \\t]*)?){${Math.ceil((leastOctets * 4) / 3)},}`, 'g'), base64Octets],
    // With or without something between the digits.
    [new RegExp(`(?:(?:0x)?[0-9a-f][:,\\s-]*){${2 * leastOctets},}`, 'gi'), hexOctets],
    [new RegExp(`(?:-?\\d{1,3}[,;\\s]+){${Math.max(1, leastOctets - 1)},}-?\\d{1,3}`, 'g'), listOctets],
  ];
  return kinds.flatMap(([pattern, octetsOf]) =>
    [...traced.text.matchAll(pattern)].flatMap(({ 0: run, index }) => {
      const code = place(traced, index, index + run.length);
      return [...new Set(octetsOf(run).flatMap(textsOf))].map((text) => ({ text, code }));
    }),
  );
}

/** Letters before it shift the places of base64, so it is read from each of four. */
function base64Octets(run: string): Buffer[] {
  const letters = run.replace(/\s/g, '');
  return [0, 1, 2, 3].map((skipped) => Buffer.from(letters.slice(skipped), 'base64'));
}

const hexOctets = (run: string) => [0, 1].map((skipped) => Buffer.from(run.replace(/0x|[^0-9a-f]/gi, '').slice(skipped), 'hex'));

function listOctets(run: string): Buffer[] {
  const numbers = run.split(/[,;\s]+/).map(Number);
  // Some languages count octets from -128.
  return numbers.every((each) => each >= -128 && each < 256) ? [Buffer.from(numbers)] : [];
}

/** What octets say as UTF-8, as Latin-1 and, where every second one is of the same few, as in UTF-16 of an alphabet, as that of either order. */
function textsOf(octets: Buffer): string[] {
  const read = [octets.toString('utf8'), octets.toString('latin1')];
  const isPaired = [0, 1].some((parity) => new Set(octets.filter((_, index) => index % 2 === parity)).size <= 3);
  if (!isPaired || new Set(octets).size < 5) return read;
  const pairs = [octets, octets.subarray(1)].map((each) => Buffer.from(each.subarray(0, each.length & ~1)));
  return [...read, ...pairs.flatMap((each) => [each.toString('utf16le'), Buffer.from(each).swap16().toString('utf16le')])];
}

/** Whether most of a text is what a person could have typed, so that it may be a code once more. */
function isReadable(text: string): boolean {
  return text.replace(/[^\s\x20-\x7e]/g, '').length * 5 >= text.length * 4;
}
