import { inParallel, processesOf } from '../parallel.js';
import { keepNewman } from '../postman/index.js';
import type { Report } from '../report/index.js';
import { judgeService, type Place, unjudged } from './judge.js';
import type { Service } from './read-file.js';

/** What a judge of services is told to do, and by what it is followed. */
export type ToJudge = { readonly service: Service; readonly place: Place };
export type Progress = Parameters<Parameters<typeof judgeService>[2]['onProgress']>[0];

/**
 * Judges so many services at once, each in a process that judges no other one meanwhile: what keeps one judge busy takes no time from
 * another. Where there is only one at a time, it is this process.
 */
export function judgesApart(atOnce: number): { judge: typeof judgeService; end(): void } {
  if (atOnce === 1) {
    keepNewman();
    return { judge: judgeService, end: () => {} };
  }
  const { ask, end } = processesOf<ToJudge, Report, Progress>('./judging.js', import.meta.url);
  const judge: typeof judgeService = async (service, place, following) =>
    (await ask({ service, place }, following)) ?? unjudged(service, place.seed, 'The process that judged it ended early');
  return { judge, end };
}

/** What is told while services are judged. */
export interface Told {
  /** Everything is there that judging needs. */
  begin(): void;
  end(service: Service, report: Report): void;
  /** What is going on, in words. */
  going(what: string): void;
}

/** Judges the services, so many at once. What an interruption leaves is told as not judged. */
export async function judgeAll(services: readonly Service[], place: Place, jobs: number, told: Told, signal: AbortSignal): Promise<void> {
  const shares = new Map<string, number>();
  told.begin();
  const judges = judgesApart(Math.min(jobs, services.length));
  await inParallel(services, jobs, async (service) => {
    const onProgress = ({ share = 0 }) => {
      shares.set(service.name, share);
      told.going([...shares].map(([name, part]) => `${name} ${Math.round(part * 100)} %`).join(', '));
    };
    const report = signal.aborted
      ? unjudged(service, place.seed, 'The run was interrupted before this service was judged')
      : await judges.judge(service, place, { signal, onProgress });
    shares.delete(service.name);
    told.end(service, report);
  });
  judges.end();
}
