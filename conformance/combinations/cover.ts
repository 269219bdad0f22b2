/** How many values each factor has, and which two values may stand in one row. */
export interface Factors {
  readonly sizes: readonly number[];
  allows(factor: number, value: number, otherFactor: number, otherValue: number): boolean;
}

interface Cover {
  /** One value of each factor, by number. */
  readonly rows: readonly (readonly number[])[];
  /** How many tuples of values of different factors are in some row. */
  readonly tuples: number;
}

const unset = -1;

/**
 * A covering array: rows in which every allowed tuple of values (pairs for strength 2, triples for 3) stands at least once. Greedy, so
 * that it is near the smallest and quick to make; what no tuple needs is the plain value, number 0. It begins with the rows given.
 */
export function cover({ sizes, allows }: Factors, strength: 2 | 3, seed: number, first: readonly (readonly number[])[] = []): Cover {
  const random = randomNumbers(seed);
  const offsets = sizes.map((_, factor) => sizes.slice(0, factor).reduce((sum, size) => sum + size, 0));
  /** The factor of each number. */
  const factors = sizes.flatMap((size, factor) => Array.from({ length: size }, () => factor));
  const all = factors.length;
  const covered = new Uint8Array(all ** strength);
  /** Of each two numbers: 1 where they may meet, 2 where they may not, 0 where nobody has asked. */
  const met = new Uint8Array(all ** 2);
  let tuples = 0;

  /** The place of a tuple: its numbers, the highest first, as digits. */
  const pairAt = (a: number, b: number) => (a > b ? a * all + b : b * all + a);
  const tripleAt = (a: number, b: number, c: number) => {
    const [low, high] = [Math.min(a, b, c), Math.max(a, b, c)];
    return (high * all + (a + b + c - low - high)) * all + low;
  };
  /** How many tuples that a value makes with those of a row are in no other row yet; from now on they are, if they are marked. */
  const gainOf = (row: readonly number[], own: number, mark = 0) => {
    let gain = 0;
    const count = (place: number) => {
      gain += 1 - (covered[place] as number);
      covered[place] = (covered[place] as number) | mark;
    };
    for (let i = 0; i < row.length; i += 1) {
      const one = row[i] as number;
      if (one === unset) continue;
      if (strength === 2) count(pairAt(own, one));
      else for (let j = 0; j < i; j += 1) if (row[j] !== unset) count(tripleAt(own, one, row[j] as number));
    }
    return gain;
  };
  const valueAt = (number: number) => number - (offsets[factors[number] as number] as number);
  const mayMeet = (own: number, other: number) => {
    const place = pairAt(own, other);
    met[place] ||= allows(factors[own] as number, valueAt(own), factors[other] as number, valueAt(other)) ? 1 : 2;
    return met[place] === 1;
  };
  const fits = (row: readonly number[], own: number) => row.every((other) => other === unset || mayMeet(own, other));
  const mark = (row: readonly number[]) => {
    for (let at = 1; at < row.length; at += 1) tuples += gainOf(row.slice(0, at), row[at] as number, 1);
  };

  const rows: (readonly number[])[] = [...first];
  for (const values of first) mark(values.map((value, factor) => (offsets[factor] as number) + value));
  const firstOfNext = factors.map((factor) => offsets[factor + 1] ?? all);
  for (const start of tuplesOf(firstOfNext, strength)) {
    const [own = 0, ...others] = start;
    if (gainOf(others, own) === 0) continue;
    const row: number[] = sizes.map(() => unset);
    for (const number of start) row[factors[number] as number] = fits(row, number) ? number : unset;
    if (row.filter((number) => number !== unset).length < strength) continue;
    const open = sizes.flatMap((_, factor) => (row[factor] === unset ? [factor] : []));
    for (const factor of shuffled(open, random)) {
      const [size, offset] = [sizes[factor] as number, offsets[factor] as number];
      let [chosen, most] = [offset, 0];
      const from = Math.floor(random() * size);
      for (let step = 0; step < size; step += 1) {
        const number = offset + ((from + step) % size);
        const gain = gainOf(row, number);
        if (gain > most && fits(row, number)) [chosen, most] = [number, gain];
      }
      row[factor] = chosen;
    }
    mark(row);
    rows.push(row.map(valueAt));
  }
  return { rows, tuples };
}

/** All numbers of different factors in rising order, so many at a time. */
function* tuplesOf(firstOfNext: readonly number[], strength: number, from = 0): Generator<readonly number[]> {
  for (let number = from; number < firstOfNext.length; number += 1)
    if (strength === 1) yield [number];
    else for (const rest of tuplesOf(firstOfNext, strength - 1, firstOfNext[number])) yield [number, ...rest];
}

function shuffled<T>(items: T[], random: () => number): T[] {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [items[at], items[other]] = [items[other] as T, items[at] as T];
  }
  return items;
}

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
