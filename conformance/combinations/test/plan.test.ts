import { expect, test } from 'vitest';
import { states } from '../../states/index.js';
import { type Case, caseAt, draftOf, pathOf } from '../case.js';
import { plan } from '../plan.js';
import { scene } from './scene.js';

const how = { strength: 2, seed: 1, randomCases: 0 } as const;
const planned = plan(states, scene, how);
const drawn = plan(states, scene, { ...how, randomCases: 500 }).cases.slice(planned.cases.length);

test('every state is tried with no circumstance at all', () => {
  const plain = planned.cases.filter(({ causes }) => causes.length === 0).map(({ state }) => state);
  expect(new Set(plain)).toEqual(new Set(states));
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
