import type { Engine } from '../../spec/index.js';
import type { Report, Verdict } from '../report/index.js';
import { type ConformanceOptions, runConformance } from '../run/index.js';
import type { Specimen } from './specimen.js';

export type Depth = Pick<ConformanceOptions, 'runs' | 'seed' | 'only' | 'spec' | 'signal'>;

/** What one engine alone said of a specimen. */
export interface Examination {
  readonly verdict: Verdict;
  readonly error?: string;
  /** The requirements found violated, each with the checks that found it. */
  readonly found: Readonly<Record<string, readonly string[]>>;
  /** The rows of the catalogue that were answered: judged one way or the other, or observed. */
  readonly answered: readonly string[];
  readonly requests: number;
  readonly durationMs: number;
}

/** Starts the specimen, lets one engine judge it, and ends it. */
export async function examine(specimen: Specimen, engine: Engine, depth: Depth): Promise<Examination> {
  const running = await specimen.start();
  try {
    return summarise(await runConformance({ ...running.target, ...depth, engine }));
  } finally {
    await running.close();
  }
}

function summarise(report: Report): Examination {
  const violated = report.requirements.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn');
  const judged = report.requirements.filter(({ outcome }) => outcome !== 'untested');
  return {
    verdict: report.verdict,
    ...(report.error === undefined ? {} : { error: report.error }),
    found: Object.fromEntries(
      violated.map(({ id, checks }) => [id, [...new Set(checks.filter((check) => check.outcome === 'fail').map((check) => check.id))]]),
    ),
    answered: [...judged, ...report.observations.filter(({ answer }) => answer !== 'not observed')].map(({ id }) => id),
    requests: report.requests,
    durationMs: report.durationMs,
  };
}
