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

/** The states that people meet most; in these, every value is also tried with nothing beside it that could hide it. */
export const mainStates = ['nothing', 'nonce and right credentials', 'fresh token', 'expired token'];
/** The states that decide who may do what: every method is tried on every address. A route that the guard does not see is one of both. */
const decidingStates = ['nothing', 'fresh token', 'expired token'];

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

/** Cases in which every pair of values of two dimensions, state among them, stands at least once; then random ones. */
export function plan(possible: readonly State[], scene: Scene, how: { strength: 2 | 3; seed: number; randomCases: number }): Plan {
  const values = dimensions.map((dimension) => dimension.values(scene));
  const factors: Factors = { sizes: [possible.length, ...values.map((each) => each.length)], allows: allowsOf(possible, values) };
  const first = [
    ...bundles(factors.sizes, possible).map((row) => fitting(row, values)),
    ...[
      ['method', 'POST'] as const,
      ...[scene.vocabulary, ...scene.collections.slice(1, 2).map((second) => `/${second}`)].map((path) => ['address', path] as const),
    ].flatMap(([name, id]) => bundlesOf(name, id, factors.sizes, values).map((row) => fitting(row, values))),
    ...routes(possible, factors, values),
    ...singles(possible, factors).map((row) => fitting(row, values)),
  ];
  const { rows, tuples } = cover(factors, how.strength, how.seed, first);
  const random = randomNumbers(how.seed + 1);
  const varied = possible.flatMap(({ isPlainOnly }, index) => (isPlainOnly === true ? [] : [index]));
  const drawn = Array.from({ length: how.randomCases }, () => randomRow(factors, varied, random));
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

/** The row without the values that may not stand beside an earlier one of it. */
function fitting(row: readonly number[], values: readonly (readonly Circumstance[])[]): number[] {
  const named = row.map((value, factor) => values[factor - 1]?.[value]);
  return row.map((value, factor) => (named.slice(0, factor).some((other) => areApart(named[factor], other)) ? 0 : value));
}

function allowsOf(states: readonly State[], values: readonly (readonly Circumstance[])[]): Factors['allows'] {
  const isMasking = (factor: number, value: number) => values[factor - 1]?.[value]?.masks === true;
  const mayStand = (factor: number, value: number, other: number, otherValue: number): boolean => {
    if (factor === 0 || value === 0) return true;
    const { only } = dimensions[factor - 1] as Dimension;
    if (other === 0) {
      const { about, id, isPlainOnly } = states[otherValue] as State;
      if (isPlainOnly === true || values[factor - 1]?.[value]?.askers?.includes(about) === false) return false;
      // What masks another circumstance takes a request of its own, so it is kept to the main states.
      return (only?.about.includes(about) ?? true) && (mainStates.includes(id) || !isMasking(factor, value));
    }
    if (otherValue === 0) return true;
    if (only !== undefined && !only.beside.includes((dimensions[other - 1] as Dimension).name)) return false;
    // What masks another circumstance is tried without any.
    return !isMasking(factor, value);
  };
  return (factor, value, other, otherValue) =>
    mayStand(factor, value, other, otherValue) &&
    mayStand(other, otherValue, factor, value) &&
    !areApart(values[factor - 1]?.[value], values[other - 1]?.[otherValue]);
}

/** In the main states each value of the dimensions that do not hide each other, many in one request. In the others they go with the values that are tried alone. */
function bundles(sizes: readonly number[], states: readonly Pick<State, 'id'>[]): number[][] {
  return states.flatMap(({ id }, state) =>
    mainStates.includes(id) ? Array.from({ length: longestBundle(sizes) }, (_, row) => bundle(sizes, state, row)) : [],
  );
}

const factorOf = (name: string) => dimensions.findIndex((dimension) => dimension.name === name) + 1;
const isBundled = (factor: number) => dimensions[factor - 1]?.bundles === true;
const longestBundle = (sizes: readonly number[]) => Math.max(0, ...sizes.filter((_, factor) => isBundled(factor)));

/** Shifted by the number of the state, so that in each state other values meet. */
const bundle = (sizes: readonly number[], state: number, row: number): number[] =>
  sizes.map((size, factor) => (factor === 0 ? state : isBundled(factor) ? (row + state * factor) % size : 0));

/** The same for strangers, with one value fixed. Headers that override the method may work only where the method is not GET; the vocabulary and other collections often have handlers of their own. */
function bundlesOf(name: string, id: string, sizes: readonly number[], values: readonly (readonly Circumstance[])[]): number[][] {
  const factor = factorOf(name);
  const value = values[factor - 1]?.findIndex((circumstance) => circumstance.id === id) ?? 0;
  return Array.from({ length: Math.ceil(longestBundle(sizes) / 2) }, (_, row) => bundle(sizes, 0, row).with(factor, value));
}

/** What most often decides who may do what: in every state, each of these values is tried alone. */
const deciding = ['method', 'address', 'HTTP version'];

/** In the deciding states every method on every address, with nothing beside them that could hide a route. */
function routes(states: readonly State[], { sizes, allows }: Factors, values: readonly (readonly Circumstance[])[]): number[][] {
  const [method, address] = ['method', 'address'].map(factorOf) as [number, number];
  const numbers = (factor: number) => Array.from({ length: (sizes[factor] as number) - 1 }, (_, value) => value + 1);
  return states.flatMap(({ id }, state) =>
    decidingStates.includes(id)
      ? numbers(method).flatMap((verb) =>
          numbers(address)
            .filter((place) => values[address - 1]?.[place]?.askers === undefined && allows(method, verb, address, place))
            .map((place) => sizes.map((_, factor) => (factor === 0 ? state : factor === method ? verb : factor === address ? place : 0))),
        )
      : [],
  );
}

/** Each state plainly, and with each value of the other dimensions alone in the main states. In the others the deciding ones, with a bundle beside each. */
function singles(states: readonly State[], { sizes, allows }: Factors): number[][] {
  const row = (state: number, factor = -1, value = 0) => sizes.map((_, other) => (other === 0 ? state : other === factor ? value : 0));
  const [address, query] = ['address', 'query'].map(factorOf) as [number, number];
  return states.flatMap(({ id }, state) => {
    const isMain = mainStates.includes(id);
    const alone = dimensions.flatMap(({ bundles: inBundles, name }, index) => {
      if (inBundles === true || !(isMain || deciding.includes(name))) return [];
      const values = Array.from({ length: (sizes[index + 1] as number) - 1 }, (_, value) => value + 1);
      return values.filter((value) => allows(0, state, index + 1, value)).map((value) => row(state, index + 1, value));
    });
    // A query would make another address of an address.
    const beside = (each: readonly number[], at: number): number[] =>
      isMain
        ? [...each]
        : bundle(sizes, state, at).map((value, factor) => each[factor] || (factor === query && each[address] !== 0 ? 0 : value));
    return [row(state), ...alone.map(beside)];
  });
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
