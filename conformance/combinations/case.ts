import { type Circumstance, type Dimension, type Draft, dimensions, ofCollections, type Scene } from '../circumstances/index.js';
import { type State, states } from '../states/index.js';

/** A state, and one circumstance of every dimension. */
export interface Case {
  readonly state: State;
  /** Those that are not the plain ones, in the order of the dimensions. */
  readonly causes: readonly Cause[];
}

export interface Cause {
  readonly dimension: Dimension;
  readonly circumstance: Circumstance;
}

/** The draft of a request in these circumstances; what its state brings is added when it is sent. */
export function draftOf({ causes }: Case, scene: Scene): Draft {
  const plain: Draft = { method: 'GET', path: `/${scene.collections[0]}`, query: '', headers: [] };
  // The address first: other circumstances write it otherwise.
  return [...causes].reverse().reduce((draft, { circumstance }) => circumstance.change(draft, scene), plain);
}

/** The case in words: "A valid token … when the method is HEAD and the query is ?". */
export function whenWords({ causes }: Case): string {
  return causes.length === 0 ? '' : ` when ${causes.map(({ circumstance }) => circumstance.words).join(' and ')}`;
}

const separator = ' | ';

/** The case as one line, from which it can be found again. */
export function pathOf({ state, causes }: Case): string {
  return [state.id, ...causes.map(({ dimension, circumstance }) => `${dimension.name}=${circumstance.id}`)].join(separator);
}

export function caseAt(path: string, scene: Scene): Case | undefined {
  const [id, ...written] = path.split(separator);
  const state = states.find((each) => each.id === id);
  const causes = dimensions.flatMap((dimension) =>
    dimension
      .values(scene)
      .filter((circumstance) => written.includes(`${dimension.name}=${circumstance.id}`))
      .map((circumstance) => ({ dimension, circumstance })),
  );
  return state === undefined || causes.length !== written.length ? undefined : { state, causes };
}

const tells = ({ dimension, circumstance }: Cause, { state }: Case): string | undefined =>
  (circumstance.tells ?? dimension.tells)[state.about];

/** Every row for which a case counts when it holds. Without another address it also counts for the row about collections. */
export function rowsOf(tried: Case): string[] {
  const { state, causes } = tried;
  if (state.ownRow === true) return [state.requirement];
  const rows = causes.flatMap((cause) => tells(cause, tried) ?? []);
  const elsewhere = causes.some(({ dimension }) => dimension.name === 'address');
  const instead = state.about === 'stranger' ? causes.flatMap(({ circumstance }) => circumstance.allows?.instead?.row ?? []) : [];
  const first = elsewhere ? undefined : ofCollections[state.about];
  return [...new Set([...rows, ...instead, ...(first === undefined ? [] : [first]), state.requirement])];
}

/** The row that tells a failure: that of the first cause that has one for this asker, otherwise that of the state. */
export function rowOf(tried: Case): string {
  const { state, causes } = tried;
  const [row] = state.ownRow === true ? [] : causes.flatMap((cause) => tells(cause, tried) ?? []);
  return row ?? state.requirement;
}

/** Every row that some case can tell of. */
export function everyRow(scene: Scene): Set<string> {
  const ofStates = states.flatMap(({ requirement, byChance }) => [requirement, byChance ?? []].flat());
  const ofCircumstances = dimensions.flatMap((dimension) =>
    dimension
      .values(scene)
      .flatMap(({ tells: own, allows }) => [...Object.values(own ?? dimension.tells), allows?.instead?.row ?? []].flat()),
  );
  return new Set([...ofStates, ...ofCircumstances]);
}
