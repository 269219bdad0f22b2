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
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const covered = new Uint8Array(all ** strength);
  const number = (factor: number, value: number) => (offsets[factor] as number) + value;
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
  const fits = (values: readonly number[], factor: number, value: number) =>
    values.every((other, at) => other === unset || allows(factor, value, at, other));
  const mark = (row: readonly number[]) => {
    for (let at = 1; at < row.length; at += 1) tuples += gainOf(row.slice(0, at), row[at] as number, 1);
  };

  const rows: (readonly number[])[] = [...first];
  for (const values of first) mark(values.map((value, factor) => number(factor, value)));
  for (const start of tuplesOf(sizes, strength)) {
    const [own = 0, ...others] = start.map(([factor, value]) => number(factor, value));
    if (gainOf(others, own) === 0) continue;
    const values: number[] = sizes.map(() => unset);
    const row = values.slice();
    const set = (factor: number, value: number) => {
      values[factor] = value;
      row[factor] = number(factor, value);
    };
    if (start.some(([factor, value]) => !fits(values, factor, value) || set(factor, value) !== undefined)) continue;
    const open = sizes.flatMap((_, factor) => (values[factor] === unset ? [factor] : []));
    for (const factor of shuffled(open, random)) {
      let [chosen, most] = [0, 0];
      const size = sizes[factor] as number;
      const from = Math.floor(random() * size);
      for (let step = 0; step < size; step += 1) {
        const value = (from + step) % size;
        const gain = gainOf(row, number(factor, value));
        if (gain > most && fits(values, factor, value)) [chosen, most] = [value, gain];
      }
      set(factor, chosen);
    }
    mark(row);
    rows.push(values);
  }
  return { rows, tuples };
}

type Tuple = readonly (readonly [factor: number, value: number])[];

function* tuplesOf(sizes: readonly number[], strength: number, from = 0): Generator<Tuple> {
  if (strength === 0) {
    yield [];
    return;
  }
  for (let factor = from; factor < sizes.length; factor += 1)
    for (let value = 0; value < (sizes[factor] as number); value += 1)
      for (const rest of tuplesOf(sizes, strength - 1, factor + 1)) yield [[factor, value], ...rest];
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
