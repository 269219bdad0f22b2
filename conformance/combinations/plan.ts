import { type Circumstance, dimensions, type Scene } from '../circumstances/index.js';
import type { State } from '../states/index.js';
import type { Case } from './case.js';
import { cover, randomNumbers } from './cover.js';

export interface Plan {
  readonly cases: readonly Case[];
  /** How many pairs (or triples) of values they cover, states among the values. */
  readonly tuples: number;
}

/** Cases in which every pair of values of two dimensions, state among them, stands at least once; then random ones. */
export function plan(states: readonly State[], scene: Scene, how: { strength: 2 | 3; seed: number; randomCases: number }): Plan {
  const values = dimensions.map((dimension) => dimension.values(scene));
  const sizes = [states.length, ...values.map((each) => each.length)];
  const allows = (factor: number, value: number, other: number, otherValue: number): boolean =>
    mayStand(factor, value, other, otherValue) && mayStand(other, otherValue, factor, value);
  const mayStand = (factor: number, value: number, other: number, otherValue: number): boolean => {
    if (factor === 0 || value === 0) return true;
    const { only } = dimensions[factor - 1] as (typeof dimensions)[number];
    if (other === 0) return only?.about.includes((states[otherValue] as State).about) ?? true;
    if (otherValue === 0) return true;
    if (only !== undefined && !only.beside.includes((dimensions[other - 1] as (typeof dimensions)[number]).name)) return false;
    return !(isMasking(factor, value) && isMasking(other, otherValue));
  };
  const isMasking = (factor: number, value: number) => values[factor - 1]?.[value]?.masks === true;
  const caseOf = ([state, ...chosen]: readonly number[]): Case => ({
    state: states[state as number] as State,
    causes: chosen.flatMap((value, index) =>
      value === 0
        ? []
        : [{ dimension: dimensions[index] as (typeof dimensions)[number], circumstance: values[index]?.[value] as Circumstance }],
    ),
  });
  const { rows, tuples } = cover({ sizes, allows }, how.strength, how.seed);
  const random = randomNumbers(how.seed + 1);
  const drawn = Array.from({ length: how.randomCases }, () => randomRow(sizes, allows, random));
  return { cases: [...rows, ...drawn].map(caseOf), tuples };
}

/** A row of the whole product, in which about a third of the dimensions is not plain. */
function randomRow(
  sizes: readonly number[],
  allows: (f: number, v: number, o: number, w: number) => boolean,
  random: () => number,
): number[] {
  const row: number[] = [];
  sizes.forEach((size, factor) => {
    const value = factor === 0 || random() < 0.35 ? Math.floor(random() * size) : 0;
    row.push(row.every((other, at) => allows(factor, value, at, other)) ? value : 0);
  });
  return row;
}
