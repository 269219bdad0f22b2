import type { Engine, ServerEngine } from '../../spec/index.js';
import type { Report, Verdict } from '../report/index.js';
import { type ConformanceOptions, runConformance } from '../run/index.js';
import type { Specimen } from './specimen.js';

/** How a specimen is judged: by both engines together, as users run them, unless the depth says otherwise. */
export type Depth = Pick<ConformanceOptions, 'engine' | 'runs' | 'seed' | 'only' | 'spec' | 'signal'>;

/** What a run said of a specimen. */
export interface Examination {
  readonly verdict: Verdict;
  readonly error?: string;
  /** The requirements found violated, each with the checks of each engine that found it. */
  readonly found: Readonly<Record<string, Found>>;
  readonly requests: number;
  readonly durationMs: number;
}

type Found = Readonly<Partial<Record<ServerEngine, readonly string[]>>>;

/** Starts the specimen, has it judged, and ends it. */
export async function examine(specimen: Specimen, depth: Depth): Promise<Report> {
  const running = await specimen.start();
  try {
    return await runConformance({ ...running.target, ...depth });
  } finally {
    await running.close();
  }
}

export function summarise({ verdict, error, requirements, requests, durationMs }: Report): Examination {
  const violated = requirements.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn');
  const found = violated.map(({ id, checks }) => {
    const failed = checks.filter((check) => check.outcome === 'fail');
    const engines = [...new Set(failed.map(({ engine }) => engine))];
    const checksOf = (engine: Engine) => [...new Set(failed.filter((check) => check.engine === engine).map((check) => check.id))];
    return [id, Object.fromEntries(engines.map((engine) => [engine, checksOf(engine)]))] as const;
  });
  return { verdict, ...(error === undefined ? {} : { error }), found: Object.fromEntries(found), requests, durationMs };
}
