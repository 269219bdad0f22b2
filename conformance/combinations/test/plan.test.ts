import { expect, test } from 'vitest';
import { dimensions } from '../../circumstances/index.js';
import { type State, states } from '../../states/index.js';
import { type Case, caseAt, draftOf, pathOf } from '../case.js';
import { mainStates, plan } from '../plan.js';
import { scene } from './scene.js';

const how = { strength: 2, seed: 1, randomCases: 0 } as const;
const planned = plan(states, scene, how);
const drawn = plan(states, scene, { ...how, randomCases: 500 }).cases.slice(planned.cases.length);

/** The value of every dimension in a case, state among them. */
const valuesOf = ({ state, causes }: Case) => [
  `state=${state.id}`,
  ...dimensions.map((dimension) => {
    const [plain] = dimension.values(scene);
    return `${dimension.name}=${causes.find((each) => each.dimension === dimension)?.circumstance.id ?? plain.id}`;
  }),
];

const pairsOf = (values: readonly string[]) => values.flatMap((one, at) => values.slice(at + 1).map((other) => `${one} & ${other}`));

interface Value {
  readonly name: string;
  readonly isPlain: boolean;
  /** With no other circumstance. */
  readonly standsAlone?: boolean;
  /** In which states. */
  readonly in?: (state: State) => boolean;
  readonly state?: State;
  readonly id?: string;
  readonly notBeside?: readonly string[];
}

const stateValues: readonly Value[] = states.map((state) => ({ name: `state=${state.id}`, isPlain: true, state }));
const valuesOfAll: readonly (readonly Value[])[] = dimensions.map((dimension) =>
  dimension.values(scene).map(({ id, masks, askers, notBeside = [] }, index) => ({
    id,
    notBeside,
    name: `${dimension.name}=${id}`,
    isPlain: index === 0,
    standsAlone: masks === true || dimension.only !== undefined,
    in: (state) =>
      state.isPlainOnly !== true &&
      askers?.includes(state.about) !== false &&
      (masks !== true || mainStates.includes(state.id)) &&
      (dimension.only === undefined || dimension.only.about.includes(state.about)),
  })),
);

function mayStand(one: Value, other: Value): boolean {
  if (other.isPlain) return true;
  if (one.state !== undefined) return other.in?.(one.state) !== false;
  if (one.notBeside?.includes(other.id ?? '') === true || other.notBeside?.includes(one.id ?? '') === true) return false;
  return one.isPlain || !(one.standsAlone === true || other.standsAlone === true);
}

/** Every pair of values that may stand together: what masks another stands alone, and so does a spelling, which strangers only have. */
function allowedPairs(): string[] {
  const factors = [stateValues, ...valuesOfAll];
  return factors.flatMap((ones, at) =>
    factors
      .slice(at + 1)
      .flatMap((others) =>
        ones.flatMap((one) => others.filter((other) => mayStand(one, other)).map((other) => `${one.name} & ${other.name}`)),
      ),
  );
}

test('every pair of values that may stand together does, and no other', () => {
  const covered = new Set(planned.cases.flatMap((each) => pairsOf(valuesOf(each))));
  const allowed = allowedPairs();
  expect(allowed.filter((pair) => !covered.has(pair))).toEqual([]);
  const known = new Set(allowed);
  expect([...covered].filter((pair) => !known.has(pair))).toEqual([]);
  expect(planned.tuples).toBe(covered.size);
});

test('every state is tried with no circumstance at all', () => {
  const plain = planned.cases.filter(({ causes }) => causes.length === 0).map(({ state }) => state);
  expect(new Set(plain)).toEqual(new Set(states));
});

test('a default plan has fewer than 960 cases', () => {
  for (const seed of [1, 2, 3]) expect(plan(states, scene, { ...how, seed, randomCases: 20 }).cases.length).toBeLessThan(960);
});

test('the same seed plans the same cases', () => {
  const paths = (seed: number) => plan(states, scene, { ...how, seed, randomCases: 20 }).cases.map(pathOf);
  expect(paths(5)).toEqual(paths(5));
  expect(paths(5)).not.toEqual(paths(6));
});

test('every case is found again by its path', () => {
  for (const each of [...planned.cases, ...drawn]) {
    const found = caseAt(pathOf(each), scene) as Case;
    expect(found.state).toBe(each.state);
    expect(JSON.stringify(draftOf(found, scene))).toBe(JSON.stringify(draftOf(each, scene)));
  }
});

test.each(['no such state', 'nothing | method=BREW', 'nothing | no such dimension=-', 'nothing | HEAD'])(
  'there is no case at "%s"',
  (path) => {
    expect(caseAt(path, scene)).toBeUndefined();
  },
);

test('a request asks for leave to send its body only where it has one, because servers wait for it', () => {
  const asking = [...planned.cases, ...drawn]
    .map((each) => draftOf(each, scene))
    .filter(({ headers }) => headers.some(([name, value]) => name === 'Expect' && value === '100-continue'));
  expect(asking.length).toBeGreaterThan(0);
  expect(asking.filter(({ body }) => body === undefined)).toEqual([]);
});
