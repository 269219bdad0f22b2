import { dimensions, ofCollections, type Scene } from '../circumstances/index.js';
import { states } from '../states/index.js';
import type { Case, Cause } from './case.js';

const tells = ({ dimension, circumstance }: Cause, { state }: Case): string | undefined =>
  (circumstance.tells ?? dimension.tells)[state.about];

/** The row that tells a failure: that of the first cause that has one for this asker, otherwise that of the state. */
export function rowOf(tried: Case): string {
  if (tried.state.ownRow === true) return tried.state.requirement;
  for (const cause of tried.causes) {
    const row = tells(cause, tried);
    if (row !== undefined) return row;
  }
  return tried.state.requirement;
}

/** Every row for which a case counts when it holds. Without another address it also counts for the row about collections. */
export function rowsOf(tried: Case): string[] {
  if (tried.state.ownRow === true) return [tried.state.requirement];
  const rows = tried.causes.flatMap((cause) => tells(cause, tried) ?? []);
  const elsewhere = tried.causes.some(({ dimension }) => dimension.name === 'address');
  const instead =
    tried.state.about === 'stranger' ? tried.causes.flatMap(({ circumstance }) => circumstance.allows?.instead?.row ?? []) : [];
  const first = elsewhere ? undefined : ofCollections[tried.state.about];
  return [...new Set([...rows, ...instead, ...(first === undefined ? [] : [first]), tried.state.requirement])];
}

/** Every row that some case can tell of. */
export function everyRow(scene: Scene): Set<string> {
  const ofStates = states.flatMap(({ requirement, byChance }) => [requirement, ...(byChance === undefined ? [] : [byChance])]);
  const ofCircumstances = dimensions.flatMap((dimension) =>
    dimension
      .values(scene)
      .flatMap(({ tells: own, allows }) => [
        ...Object.values(own ?? dimension.tells),
        ...(allows?.instead === undefined ? [] : [allows.instead.row]),
      ]),
  );
  return new Set([...ofStates, ...ofCircumstances]);
}
