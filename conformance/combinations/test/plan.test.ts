import { expect, test } from 'vitest';
import { dimensions } from '../../circumstances/index.js';
import { states } from '../../states/index.js';
import { type Case, caseAt, draftOf, pathOf } from '../case.js';
import { plan } from '../plan.js';
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

/** Every pair of values that may stand together: what masks another stands alone, and so does a spelling, which strangers only have. */
function allowedPairs(): string[] {
  const factors = [
    states.map(({ id, about }) => ({ name: `state=${id}`, about, isPlain: true, standsAlone: false, only: undefined })),
    ...dimensions.map((dimension) =>
      dimension.values(scene).map(({ id, masks }, index) => ({
        name: `${dimension.name}=${id}`,
        about: undefined,
        isPlain: index === 0,
        standsAlone: index > 0 && (masks === true || dimension.only !== undefined),
        only: index === 0 ? undefined : dimension.only?.about,
      })),
    ),
  ];
  return factors.flatMap((ones, at) =>
    factors
      .slice(at + 1)
      .flatMap((others) =>
        ones.flatMap((one) =>
          others
            .filter(
              (other) =>
                (one.isPlain || other.isPlain || !(one.standsAlone || other.standsAlone)) &&
                (one.about === undefined || (other.only?.includes(one.about) ?? true)),
            )
            .map((other) => `${one.name} & ${other.name}`),
        ),
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

test('random cases hold only what may stand together, and differ', () => {
  const allowed = new Set(allowedPairs());
  expect(drawn.flatMap((each) => pairsOf(valuesOf(each))).filter((pair) => !allowed.has(pair))).toEqual([]);
  expect(drawn).toHaveLength(500);
  expect(new Set(drawn.map(pathOf)).size).toBeGreaterThan(450);
});

test.each([planned.cases, drawn])('what masks others stands alone, and strangers alone have other spellings (plan %#)', (...cases) => {
  for (const { state, causes } of cases) {
    if (causes.some(({ circumstance }) => circumstance.masks === true)) expect(causes).toHaveLength(1);
    if (causes.some(({ dimension }) => dimension.name === 'spelling')) expect([state.about, causes.length]).toEqual(['stranger', 1]);
  }
});

test('a default plan has fewer than 900 cases', () => {
  for (const seed of [1, 2, 3]) expect(plan(states, scene, { ...how, seed, randomCases: 20 }).cases.length).toBeLessThan(900);
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
