import { type Circumstance, type Dimension, dimensions, type Scene } from '../circumstances/index.js';
import { type State, states } from '../states/index.js';
import type { Subject } from '../subject/index.js';
import { type Case, caseAt } from './case.js';
import { cover, type Factors, randomNumbers } from './cover.js';
import { sceneOf } from './send.js';

interface Plan {
  readonly cases: readonly Case[];
  /** How many pairs (or triples) of values they cover, states among the values. */
  readonly tuples: number;
}

/** The states that decide who may do what: in these, every value is also tried with nothing beside it that could hide it. */
const decidingStates = ['nothing', 'fresh token', 'expired token'];
/** The states that people meet most. */
const mainStates = [...decidingStates, 'nonce and right credentials'];

/** The cases of a run: those that the target and its clock allow, or those to be repeated. */
export function casesOf(
  subject: Subject,
  { paths, strength, seed, runs }: { strength: 2 | 3; seed: number; runs: number; paths?: readonly string[] },
): Plan {
  const scene = sceneOf(subject);
  if (paths !== undefined) return { cases: paths.flatMap((path) => caseAt(path, scene) ?? []), tuples: 0 };
  const possible = states.filter(
    ({ moment, about }) =>
      (subject.clock.canMove || !['middle', 'end', 'expired'].includes(moment)) &&
      (about === 'stranger' || subject.facts.noLogin === undefined),
  );
  return plan(possible, scene, { strength, seed, randomCases: runs });
}

type Values = readonly (readonly Circumstance[])[];

/** The last rows that were made, and what of: whoever judges many services makes the same ones. */
let made: ReturnType<typeof cover> & { readonly of?: string } = { rows: [], tuples: 0 };

/** Cases in which every pair of values of two dimensions, state among them, stands at least once; then random ones. */
export function plan(possible: readonly State[], scene: Scene, how: { strength: 2 | 3; seed: number; randomCases: number }): Plan {
  const values = dimensions.map((dimension) => dimension.values(scene));
  const factors: Factors = { sizes: [possible.length, ...values.map((each) => each.length)], allows: allowsOf(possible, values) };
  const of = JSON.stringify([how.strength, how.seed, ...[possible, ...values].map((each) => each.map(({ id }) => id))]);
  if (made.of !== of) made = { of, ...cover(factors, how.strength, how.seed, chosenRows(possible, values, factors)) };
  const { rows, tuples } = made;
  const random = randomNumbers(how.seed + 1);
  const varied = possible.flatMap(({ isPlainOnly }, index) => (isPlainOnly === true ? [] : [index]));
  const drawn = Array.from({ length: Math.ceil(how.randomCases / 4) }, () => randomRow(factors, varied, random));
  const caseOf = ([state, ...chosen]: readonly number[]): Case => ({
    state: possible[state as number] as State,
    causes: chosen.flatMap((value, index) =>
      value === 0 ? [] : [{ dimension: dimensions[index] as Dimension, circumstance: values[index]?.[value] as Circumstance }],
    ),
  });
  return { cases: [...rows, ...drawn].map(caseOf), tuples };
}

/** Whether two circumstances may not stand in one request, because together they would make another request of it. */
function areApart(one: Circumstance | undefined, other: Circumstance | undefined): boolean {
  return one?.notBeside?.includes(other?.id ?? '') === true || other?.notBeside?.includes(one?.id ?? '') === true;
}

function allowsOf(states: readonly State[], values: Values): Factors['allows'] {
  const mayStand = (factor: number, value: number, other: number, otherValue: number): boolean => {
    if (factor === 0 || value === 0) return true;
    const { masks, askers }: Partial<Circumstance> = values[factor - 1]?.[value] ?? {};
    // What masks another circumstance is tried without any. It takes a request of its own, so it is kept to the main states.
    if (other !== 0) return otherValue === 0 || masks !== true;
    const { about, id, isPlainOnly } = states[otherValue] as State;
    return isPlainOnly !== true && askers?.includes(about) !== false && (masks !== true || mainStates.includes(id));
  };
  return (factor, value, other, otherValue) =>
    mayStand(factor, value, other, otherValue) &&
    mayStand(other, otherValue, factor, value) &&
    !areApart(values[factor - 1]?.[value], values[other - 1]?.[otherValue]);
}

const factorOf = (name: string) => dimensions.findIndex((dimension) => dimension.name === name) + 1;
const isBundled = (factor: number) => dimensions[factor - 1]?.bundles === true;
const [method, address] = ['method', 'address'].map(factorOf) as [number, number];

/** Rows that the plan begins with. */
function chosenRows(states: readonly State[], values: Values, { sizes, allows }: Factors): number[][] {
  const plain = (state: number): number[] => sizes.map((_, factor) => (factor === 0 ? state : 0));
  const notPlain = (factor: number) => Array.from({ length: (sizes[factor] as number) - 1 }, (_, value) => value + 1);
  const named = (factor: number, value: number) => values[factor - 1]?.[value];
  /** The row without the values that may not stand beside an earlier one of it. */
  const fitting = (row: readonly number[]) =>
    row.map((value, factor) => (row.slice(0, factor).some((other, at) => areApart(named(factor, value), named(at, other))) ? 0 : value));
  /** Values of the dimensions that do not hide each other, many in one request. Shifted by the number of the state, so that in each state other values meet. */
  const bundle = (state: number, at: number): number[] =>
    plain(state).map((value, factor) => (isBundled(factor) ? (at + state * factor) % (sizes[factor] as number) : value));
  const longest = Math.max(0, ...sizes.filter((_, factor) => isBundled(factor)));
  /** In every state, plainly otherwise: half of the longest dimension, which is the whole of most others, and all of it for strangers. */
  const bundles = ({ id, isPlainOnly }: State, state: number) =>
    isPlainOnly === true ? [] : Array.from({ length: id === 'nothing' ? longest : longest / 2 }, (_, at) => bundle(state, at));
  /** Every method on every address: a route that the guard does not see is one of both. */
  const routes = (state: number) =>
    notPlain(method).flatMap((verb) =>
      notPlain(address)
        .filter((place) => named(address, place)?.askers === undefined && allows(method, verb, address, place))
        .map((place) => plain(state).with(method, verb).with(address, place)),
    );
  /** Each value of the other dimensions, and what must stand by itself. */
  const singles = (state: number) =>
    dimensions.flatMap((_, index) =>
      notPlain(index + 1)
        .filter((value) => (!isBundled(index + 1) || named(index + 1, value)?.byItself) && allows(0, state, index + 1, value))
        .map((value) => plain(state).with(index + 1, value)),
    );
  const inStates = (ids: readonly string[], rows: (state: number) => number[][]) =>
    states.flatMap(({ id }, state) => (ids.includes(id) ? rows(state) : []));
  const rows = [
    ...states.flatMap(bundles).map(fitting),
    ...inStates(['nothing'], routes),
    ...states.map((_, state) => plain(state)),
    ...inStates(decidingStates, singles),
  ];
  return [...new Map(rows.map((row) => [String(row), row])).values()];
}

/** A row of the whole product, in which about a third of the dimensions is not plain. */
function randomRow({ sizes, allows }: Factors, states: readonly number[], random: () => number): number[] {
  const row: number[] = [states[Math.floor(random() * states.length)] ?? 0];
  sizes.slice(1).forEach((size, index) => {
    const factor = index + 1;
    const value = random() < 0.35 ? Math.floor(random() * size) : 0;
    row.push(row.every((other, at) => allows(factor, value, at, other)) ? value : 0);
  });
  return row;
}
