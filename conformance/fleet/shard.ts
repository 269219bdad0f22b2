import type { PastRun } from './history.js';
import type { Service } from './read-file.js';

/** The services of one shard. Each goes where the least is to do, the longest first, by how long it took when it was last judged. */
export function shardOf(services: readonly Service[], { index, of }: { index: number; of: number }, past: readonly PastRun[]): Service[] {
  const tookMs = ({ name }: Service) => past.findLast((run) => run.services[name] !== undefined)?.services[name]?.durationMs;
  const known = services.flatMap((service) => tookMs(service) ?? []);
  const usualMs = known.length === 0 ? 1 : known.reduce((sum, each) => sum + each, 0) / known.length;
  const weighed = services.map((service) => ({ service, ms: tookMs(service) ?? usualMs }));
  weighed.sort((one, other) => other.ms - one.ms || (one.service.name < other.service.name ? -1 : 1));
  const shards = Array.from({ length: of }, () => ({ ms: 0, services: [] as Service[] }));
  for (const { service, ms } of weighed) {
    const lightest = shards.reduce((least, each) => (each.ms < least.ms ? each : least));
    lightest.services.push(service);
    lightest.ms += ms;
  }
  return shards[index - 1]?.services ?? [];
}
