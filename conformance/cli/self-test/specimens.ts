import fc from 'fast-check';
import { applyFixtures, type Fault, faults, type Variant, variants } from '../../../fixtures/index.js';
import {
  createReferenceServer,
  defaultCollections,
  defaultUsers,
  type Parts,
  type PartsContext,
  type ReferenceServerOptions,
  startReferenceServer,
} from '../../../reference-server/index.js';
import type { Spec } from '../../../spec/index.js';
import type { Specimen } from '../../self-test/index.js';
import { pick } from '../given.js';

type Fixture = Fault | Variant;

/** The reference server, every variant and every fault, or those of them that are asked for. */
export function specimens(only: readonly string[] = [], spec?: Spec): Specimen[] {
  const all = ['reference', ...variants.map(({ id }) => id), ...faults.map(({ id }) => id)].map((id) => specimenOf(id, spec));
  if (only.length === 0) return all;
  const picked = pick('fault or variant', only, all);
  return all.filter((each) => picked.includes(each));
}

/** The specimen with this id; a pair has two ids, joined by a plus sign. */
export function specimenOf(id: string, spec?: Spec): Specimen {
  const members = id === 'reference' ? [] : pick<Fixture>('fault or variant', id.split('+'), [...faults, ...variants]);
  const [first, second] = members;
  const kind = first === undefined ? 'reference' : second !== undefined ? 'pair' : 'violates' in first ? 'fault' : 'variant';
  const sentence = members.map((member) => member.sentence).join(' ') || 'The reference server as it is.';
  const violatedBy = (member: Fixture) => ('violates' in member ? member.violates : member.warns);
  const expected = [...new Set(members.flatMap(violatedBy))];
  const hides = (by: Fixture, requirement: string) => by.hides?.requirements.some((start) => requirement.startsWith(start)) === true;
  const isHidden = (requirement: string) =>
    members
      .filter((member) => violatedBy(member).includes(requirement))
      .every((member) => members.some((other) => other !== member && hides(other, requirement)));
  const hidden = expected.filter(isHidden);
  const options = applyFixtures(members, spec === undefined ? base : { ...base, spec });
  return { kind, id, sentence, expected, hidden, auth: options.auth ?? 'on', start: () => start(options) };
}

const base: ReferenceServerOptions = { clock: 'manual', users: defaultUsers, collections: defaultCollections, recordLast: 0 };

async function start(options: ReferenceServerOptions): ReturnType<Specimen['start']> {
  const server = await startReferenceServer(options);
  const { auth = 'on', users = defaultUsers } = options;
  return {
    target: {
      baseUrl: server.url,
      collections: server.collections,
      users: auth === 'off' ? [] : users,
      auth,
      clock: server.clockUrl ?? 'none',
    },
    close: () => server.close(),
  };
}

/**
 * So many pairs of faults, and of a variant and a fault, drawn by the seed. The two of a pair replace different functions of the server.
 * With `only`, each pair has one of these.
 */
export function drawPairs(count: number, seed: number, only: readonly string[], spec?: Spec): Specimen[] {
  const replaced = replacedFunctions();
  const disjoint = (one: Fixture, other: Fixture) => {
    const [left, right] = [replaced.get(one), replaced.get(other)];
    return left !== undefined && right !== undefined && !left.some((name) => right.includes(name));
  };
  const pairs = faults.flatMap((fault, at) =>
    [...variants, ...faults.slice(0, at)]
      .filter((other) => disjoint(other, fault))
      .filter((other) => only.length === 0 || only.includes(fault.id) || only.includes(other.id))
      .map((other) => [other, fault] as const),
  );
  const length = Math.min(count, pairs.length);
  const [drawn = []] = fc.sample(fc.shuffledSubarray(pairs, { minLength: length, maxLength: length }), { seed, numRuns: 1 });
  return drawn.map(([other, fault]) => specimenOf(`${other.id}+${fault.id}`, spec));
}

/** The functions of the parts that each fixture replaces. Those that change settings of the server are left out: they go with no other. */
export function replacedFunctions(): ReadonlyMap<Fixture, readonly string[]> {
  let given: [Parts, PartsContext] | undefined;
  createReferenceServer({
    parts(parts, context) {
      given = [parts, context];
      return parts;
    },
  });
  const [original, context] = given as unknown as [Parts, PartsContext];
  const changes = [...faults, ...variants].flatMap((fixture) => {
    const { parts: change, ...settings } = fixture.options({});
    const names = change === undefined ? [] : differences(original, change(original, context));
    return names.length === 0 || Object.keys(settings).length > 0 ? [] : [[fixture, names] as const];
  });
  return new Map(changes);
}

function differences(original: Parts, changed: Parts): string[] {
  return (Object.keys(original) as (keyof Parts)[]).flatMap((part) => {
    const [before, after] = [original[part], changed[part]] as unknown as Record<string, unknown>[];
    const names = Object.keys({ ...before, ...after });
    return names.filter((name) => before?.[name] !== after?.[name]).map((name) => `${part}.${name}`);
  });
}
