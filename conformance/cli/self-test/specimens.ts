import { type Fault, faults, findFixture, type Variant, variants } from '../../../fixtures/index.js';
import { defaultCollections, defaultUsers, type ReferenceServerOptions, startReferenceServer } from '../../../reference-server/index.js';
import type { Specimen } from '../../self-test/index.js';

const reference = { kind: 'reference', id: 'reference', sentence: 'The reference server as it is.', expected: [], auth: 'on' } as const;

/** The reference server, every variant and every fault, or those of them that are asked for. */
export function specimens(only: readonly string[] = []): Specimen[] {
  const all: Specimen[] = [
    { ...reference, start: () => start(base()) },
    ...variants.map((each) => specimen('variant', each, each.warns)),
    ...faults.map((each) => specimen('fault', each, each.violates)),
  ];
  for (const id of only) {
    // Names what is unknown, and what there is.
    if (!all.some((each) => each.id === id)) findFixture('fault', id);
  }
  return only.length === 0 ? all : all.filter((each) => only.includes(each.id));
}

function specimen(kind: 'variant' | 'fault', fixture: Fault | Variant, expected: readonly string[]): Specimen {
  const { auth = 'on' } = fixture.options(base());
  return { kind, id: fixture.id, sentence: fixture.sentence, expected, auth, start: () => start(fixture.options(base())) };
}

function base(): ReferenceServerOptions {
  return { clock: 'manual', users: defaultUsers, collections: defaultCollections, recordLast: 0 };
}

async function start(options: ReferenceServerOptions): ReturnType<Specimen['start']> {
  const server = await startReferenceServer(options);
  return {
    target: {
      baseUrl: server.url,
      collections: server.collections,
      users: options.auth === 'off' ? [] : (options.users ?? defaultUsers),
      auth: options.auth ?? 'on',
      clock: server.clockUrl ?? 'none',
    },
    close: () => server.close(),
  };
}
