import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine, Spec } from '../../spec/index.js';
import { judgeRecordings } from '../recorded/index.js';
import type { Report } from '../report/index.js';
import { type ConformanceOptions, runConformance } from '../run/index.js';

/** A server to try the judge on, and what the judge must say of it. */
export interface Specimen {
  readonly kind: 'reference' | 'variant' | 'fault' | 'pair';
  readonly id: string;
  readonly sentence: string;
  /** The requirements that it violates: these must be found, and no others. */
  readonly expected: readonly string[];
  /** Those among them that one member of a pair makes unobservable: they must not pass, and need not be found. */
  readonly hidden: readonly string[];
  /** Where it is off there are no three steps, and the Postman collection has nothing to show. */
  readonly auth: 'on' | 'off';
  start(): Promise<{
    readonly target: Pick<ConformanceOptions, 'baseUrl' | 'collections' | 'users' | 'auth' | 'clock'>;
    close(): Promise<void>;
  }>;
}

/** How a specimen is judged: by both engines together, as users run them, unless the depth says otherwise. */
export interface Depth extends Pick<ConformanceOptions, 'engine' | 'runs' | 'seed' | 'only' | 'budget' | 'spec'> {
  /** The run is recorded, and the recording must be judged like the run. */
  readonly recorded?: boolean;
}

/** Starts the specimen, has it judged, and ends it. */
export async function examine(specimen: Specimen, { recorded = false, ...depth }: Depth): Promise<Report> {
  const running = await specimen.start();
  const folder = recorded ? mkdtempSync(join(tmpdir(), 'hydrauth-')) : undefined;
  const record = folder && join(folder, 'run.har');
  try {
    const report = await runConformance({ ...running.target, ...depth, ...(record && { record }) });
    if (record !== undefined) await judgedAlike(report, record, depth);
    return report;
  } finally {
    await running.close();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  }
}

async function judgedAlike({ verdict, requirements }: Report, file: string, { spec }: Depth): Promise<void> {
  const again = await judgeRecordings({ files: [file], ...(spec === undefined ? {} : { spec: spec as Spec | string }) });
  const outcomes = new Map(again.requirements.map(({ id, outcome }) => [id, outcome]));
  const differing = requirements.filter(({ id, outcome }) => outcomes.get(id) !== outcome);
  const words = differing.map(({ id, outcome }) => `${id} (${outcome}, then ${outcomes.get(id)})`);
  if (verdict !== again.verdict) words.push(`the verdict (${verdict}, then ${again.verdict})`);
  if (words.length > 0) throw new Error(`The recording is judged otherwise than the run: ${words.join(', ')}.`);
}

/** What a run said of a specimen: the requirements found violated, each with the checks of each engine that found it, and those that were not tried. */
export type Examination = Readonly<ReturnType<typeof summarise>>;

export function summarise({ verdict, error, requirements, requests, durationMs }: Report) {
  const violated = requirements.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn');
  const found = violated.map(({ id, checks }) => {
    const failed = checks.filter((check) => check.outcome === 'fail');
    const engines = [...new Set(failed.map(({ engine }) => engine))];
    const checksOf = (engine: Engine) => [...new Set(failed.filter((check) => check.engine === engine).map((check) => check.id))];
    return [id, Object.fromEntries(engines.map((engine) => [engine, checksOf(engine)]))] as const;
  });
  const untested = requirements.filter(({ outcome }) => outcome === 'untested').map(({ id }) => id);
  return { verdict, ...(error === undefined ? {} : { error }), found: Object.fromEntries(found), untested, requests, durationMs };
}
