import type { ChildProcess } from 'node:child_process';
import { forked, inParallel, isAlive } from '../parallel.js';
import { keepNewman } from '../postman/index.js';
import type { Report } from '../report/index.js';
import { judgeService, type Place, unjudged } from './judge.js';
import type { Service } from './read-file.js';

type Progress = Parameters<Parameters<typeof judgeService>[2]['onProgress']>[0];

/** What a judge of services is told, and what it tells. */
export type ToJudge = { readonly service: Service; readonly place: Place } | { readonly abort: string | null };
export type FromJudge = { readonly progress: Progress } | { readonly report: Report };

/**
 * Judges so many services at once, each in a process that judges no other one meanwhile: what keeps one judge busy takes no time from
 * another. Where there is only one at a time, it is this process.
 */
export function judgesApart(atOnce: number): { judge: typeof judgeService; end(): void } {
  if (atOnce === 1) {
    keepNewman();
    return { judge: judgeService, end: () => {} };
  }
  const idle = new Set<ChildProcess>();
  const judge: typeof judgeService = async (service, place, { signal, onProgress }) => {
    // One may have been killed while it had nothing to do.
    const process = [...idle].find(isAlive) ?? forked('./judging.js', import.meta.url);
    idle.delete(process);
    const tell = (what: ToJudge) => process.send(what, () => {});
    const abort = () => tell({ abort: typeof signal.reason === 'string' ? signal.reason : null });
    signal.addEventListener('abort', abort);
    const report = await new Promise<Report | undefined>((resolve) => {
      const hear = (said: FromJudge) => ('progress' in said ? onProgress(said.progress) : end(said.report));
      const end = (came?: Report) => {
        process.off('exit', left).off('error', left).off('message', hear);
        resolve(came);
      };
      const left = () => end();
      process.on('exit', left).on('error', left).on('message', hear);
      tell({ service, place });
    });
    signal.removeEventListener('abort', abort);
    if (report !== undefined) idle.add(process);
    return report ?? unjudged(service, place.seed, 'The process that judged it ended early');
  };
  return { judge, end: () => idle.forEach((each) => void each.disconnect()) };
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
