import { inParallel } from '../parallel.js';
import { keepNewman } from '../postman/index.js';
import type { Report } from '../report/index.js';
import { judgeService, type Place, unjudged } from './judge-service.js';
import type { Service } from './read-file.js';

/** What is told while services are judged. */
export interface Told {
  /** Everything is there that judging needs. */
  begin(): void;
  end(service: Service, report: Report): void;
  /** What is going on, in words. */
  going(what: string): void;
}

/** Judges the services in this process, so many at once. What an interruption leaves is told as not judged. */
export async function judgeAll(services: readonly Service[], place: Place, jobs: number, told: Told, signal: AbortSignal): Promise<void> {
  const shares = new Map<string, number>();
  told.begin();
  keepNewman();
  await inParallel(services, jobs, async (service) => {
    const onProgress = ({ share = 0 }) => {
      shares.set(service.name, share);
      told.going([...shares].map(([name, part]) => `${name} ${Math.round(part * 100)} %`).join(', '));
    };
    const report = signal.aborted
      ? unjudged(service, place.seed, 'The run was interrupted before this service was judged')
      : await judgeService(service, place, { signal, onProgress });
    shares.delete(service.name);
    told.end(service, report);
  });
}
