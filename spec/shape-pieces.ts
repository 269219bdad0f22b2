/** Part of a pattern: the characters at each of its places, and how often it stands. */
export interface Piece {
  readonly places: readonly string[];
  readonly least: number;
  readonly most: number;
}

/** What can stand in a header without quotes. */
const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join('');
const matching = (characters: RegExp) => [...visible].filter((each) => characters.test(each)).join('');
const classes: Readonly<Record<string, string>> = {
  d: matching(/\d/),
  w: matching(/\w/),
  D: matching(/\D/),
  W: matching(/\W/),
  S: visible,
};

/** The pieces between ^ and $: characters, classes, groups and how often they stand. Undefined for anything beyond. */
export function parsePieces(source: string): readonly Piece[] | undefined {
  const inner = /^\^(.*)\$$/s.exec(source)?.[1];
  if (inner === undefined) return undefined;
  try {
    const reading = { text: inner, at: 0 };
    const pieces = readAlternatives(reading);
    return reading.at === inner.length && pieces.every(({ places }) => places.every((alphabet) => alphabet !== '')) ? pieces : undefined;
  } catch (error) {
    if (error instanceof Beyond) return undefined;
    throw error;
  }
}

class Beyond extends Error {}

interface Reading {
  readonly text: string;
  at: number;
}

/** Of several alternatives the first. */
function readAlternatives(reading: Reading): Piece[] {
  const first = readSequence(reading);
  while (reading.text[reading.at] === '|') {
    reading.at += 1;
    readSequence(reading);
  }
  return first;
}

function readSequence(reading: Reading): Piece[] {
  const pieces: Piece[] = [];
  while (reading.at < reading.text.length && !'|)'.includes(reading.text[reading.at] as string)) {
    const atom = readAtom(reading);
    const [least, most] = readCount(reading);
    if (least === 1 && most === 1) pieces.push(...atom);
    else pieces.push({ places: atom.flatMap(({ places, least }) => Array.from({ length: least }, () => places).flat()), least, most });
  }
  return pieces;
}

const one = (alphabet: string): Piece[] => [{ places: [alphabet], least: 1, most: 1 }];

function readAtom(reading: Reading): Piece[] {
  const rest = reading.text.slice(reading.at);
  const group = /^\((?:\?:|\?<\w+>)?(?!\?)/.exec(rest)?.[0];
  if (group !== undefined) {
    reading.at += group.length;
    const pieces = readAlternatives(reading);
    if (reading.text[reading.at] !== ')') throw new Beyond();
    reading.at += 1;
    return pieces;
  }
  const [found] = /^\[(?:\\.|[^\]\\])*\]|^\\.|^[^\\[\](){}?*+^$]/.exec(rest) ?? [];
  if (found === undefined) throw new Beyond();
  reading.at += found.length;
  if (found === '.') return one(visible);
  return one(found.startsWith('[') ? classOf(found.slice(1, -1)) : found.startsWith('\\') ? escaped(found.charAt(1)) : found);
}

function escaped(character: string): string {
  const known = classes[character];
  if (known === undefined && /[A-Za-z0-9]/.test(character)) throw new Beyond();
  return known ?? character;
}

function classOf(text: string): string {
  const isNegated = text.startsWith('^');
  const parts = [...text.slice(isNegated ? 1 : 0).matchAll(/(\\.|[^\\])(?:-(\\.|[^\\]))?/gs)];
  const inside = parts.map(([, from = '', to]) => {
    const [start, end] = [from, to ?? from].map((each) => (each.startsWith('\\') ? escaped(each.charAt(1)) : each)) as [string, string];
    return to === undefined ? start : [...visible].filter((each) => each >= start && each <= end).join('');
  });
  return [...visible].filter((each) => inside.join('').includes(each) !== isNegated).join('');
}

function readCount(reading: Reading): readonly [least: number, most: number] {
  const [text, sign, least, comma, most] = /^(?:([?*+])|\{(\d+)(,)?(\d+)?\})\??/.exec(reading.text.slice(reading.at)) ?? [''];
  reading.at += text.length;
  if (text === '') return [1, 1];
  if (sign !== undefined) return [sign === '+' ? 1 : 0, sign === '?' ? 1 : Number.POSITIVE_INFINITY];
  return [Number(least), comma === undefined ? Number(least) : most === undefined ? Number.POSITIVE_INFINITY : Number(most)];
}
