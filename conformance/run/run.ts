import type { RunOptions } from '../options.js';
import type { Report } from '../report/index.js';
import { type Subject, Untested } from '../subject/index.js';
import { Allowance } from './allowance.js';
import { monitorAnswers } from './answer-monitor.js';
import { conclude } from './conclude.js';
import type { ConformanceOptions } from './conformance-options.js';
import { probeConnections } from './connections.js';
import { judge, nothingJudged, type Run } from './judge.js';
import type { Preflight } from './log-in-all.js';
import { loadNewman } from './postman.js';
import { preflight } from './preflight.js';
import { ProgressTeller } from './progress.js';
import { select } from './selection.js';
import { type OpenTarget, openTarget } from './target.js';
import { validateOptions } from './validate-options.js';

/** About so many requests of a run are no combinations; and so many more where a clock is moved. */
const usualRequests = 1200;
const clockRequests = 300;

/** Judges a target and gives the report. Rejects only for options that cannot be used. */
export async function runConformance(options: ConformanceOptions): Promise<Report> {
  return runWith(validateOptions(options), options);
}

async function runWith(
  options: RunOptions,
  { signal, onProgress, replay }: Pick<ConformanceOptions, 'signal' | 'onProgress' | 'replay'>,
): Promise<Report> {
  const started = { at: new Date(), ms: performance.now() };
  const selection = select(options, replay);
  const monitor = monitorAnswers(selection.answerLaws, () => target as Subject);
  const allowance = new Allowance(options.budget, options.bail, started.ms);
  const target: OpenTarget = await openTarget(options, signal, allowance, monitor.watch);
  const checks = selection.laws.length + (options.engines.includes('postman') ? 1 : 0);
  const usual = usualRequests + (target.clock.canMove ? clockRequests : 0);
  const progress = new ProgressTeller(target.client, checks, usual * selection.part, onProgress);
  progress.trying('logging in');
  const run: Run = { options, selection, replay, signal, target, monitor, allowance, progress, newman: loadNewman(options) };
  try {
    const ready = await prepare(target);
    const answerMs = (performance.now() - started.ms) / Math.max(1, target.client.requests);
    const judgingMs = performance.now();
    return await conclude(run, { ...started, judgingMs }, ready, ready.fatal === undefined ? await judge(run, answerMs) : nothingJudged);
  } finally {
    run.newman?.end();
    await target.close();
  }
}

async function prepare(target: OpenTarget): Promise<Preflight> {
  if (target.clockTrouble !== undefined) return { fatal: `The clock failed: ${target.clockTrouble}` };
  try {
    await probeConnections(target);
    return await preflight(target);
  } catch (error) {
    // A budget can be spent before anything is known of the target.
    if (!(error instanceof Untested)) throw error;
    return { fatal: `The target cannot be judged: ${error.message}.` };
  }
}
