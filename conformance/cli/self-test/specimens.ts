import { applyFixtures, type Fault, faults, type Variant, variants } from '../../../fixtures/index.js';
import { defaultCollections, defaultUsers, type ReferenceServerOptions, startReferenceServer } from '../../../reference-server/index.js';
import type { Spec } from '../../../spec/index.js';
import type { Specimen } from '../../self-test/index.js';
import { pick } from '../given.js';

export type Fixture = Fault | Variant;

/** Between the ids of a pair. */
const and = '+';

/** The reference server, every variant and every fault, or those of them that are asked for. */
export function specimens(only: readonly string[] = [], spec?: Spec): Specimen[] {
  const all = ['reference', ...variants.map(({ id }) => id), ...faults.map(({ id }) => id)].map((id) => specimenOf(id, spec));
  if (only.length === 0) return all;
  const picked = pick('fault or variant', only, all);
  return all.filter((each) => picked.includes(each));
}

/** The specimen with this id; a pair has two ids, joined by a plus sign. */
export function specimenOf(id: string, spec?: Spec): Specimen {
  if (id === 'reference') return specimen('reference', id, 'The reference server as it is.', [], spec);
  const members = pick<Fixture>('fault or variant', id.split(and), [...faults, ...variants]);
  const [first] = members as [Fixture];
  const kind = members.length > 1 ? 'pair' : 'violates' in first ? 'fault' : 'variant';
  return specimen(kind, id, members.map(({ sentence }) => sentence).join(' '), members, spec);
}

export function pairOf(one: Fixture, other: Fixture, spec?: Spec): Specimen {
  return specimenOf(`${one.id}${and}${other.id}`, spec);
}

function specimen(kind: Specimen['kind'], id: string, sentence: string, members: readonly Fixture[], spec: Spec | undefined): Specimen {
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
