import type * as Conformance from '../../conformance/index.js';
import { built } from '../build.js';
import { answerWith, tell } from '../children.js';

/** Runs the whole suite in a process that stays, so that starting up is not part of what is measured. */
const { runConformance } = (await import(built('conformance', 'index.js'))) as typeof Conformance;

export interface Judged {
  readonly requests: number;
  readonly seconds: number;
  readonly verdict: string;
  readonly cpuSeconds: number;
}

answerWith(async (options: Conformance.ConformanceOptions): Promise<Judged> => {
  const before = process.cpuUsage();
  const { requests, durationMs, verdict } = await runConformance(options);
  const { user, system } = process.cpuUsage(before);
  return { requests, seconds: durationMs / 1000, verdict, cpuSeconds: (user + system) / 1e6 };
});
tell({});
