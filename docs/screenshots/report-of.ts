import { type Report, runConformance } from '../../conformance/index.js';
import { applyFixtures, faults, variants } from '../../fixtures/index.js';
import { defaultCollections, defaultUsers, startReferenceServer } from '../../reference-server/index.js';
import type { Service } from './services.js';

/** The report of a real run against the service. */
export async function reportOf(service: Service): Promise<Report> {
  const fixtures = [...pick(service.variants ?? [], variants), ...pick(service.faults, faults)];
  const base = { clock: 'manual', users: defaultUsers, collections: defaultCollections } as const;
  await using server = await startReferenceServer(applyFixtures(fixtures, base));
  return await runConformance({
    baseUrl: server.url,
    collections: server.collections,
    users: defaultUsers.map(({ id, paraphrase }) => ({ id: String(id), paraphrase })),
    clock: server.clockUrl ?? 'none',
    seed: 1,
  });
}

function pick<T extends { readonly id: string }>(ids: readonly string[], all: readonly T[]): T[] {
  return ids.map((id) => {
    const found = all.find((each) => each.id === id);
    if (found === undefined) throw new Error(`there is no fault or variant ${id}`);
    return found;
  });
}
