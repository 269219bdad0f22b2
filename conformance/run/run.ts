import { profileOf } from '../../spec/index.js';
import { curlScript, recordChain } from '../evidence/index.js';
import { type Finding, lastOf, sentence, untested } from '../finding.js';
import { isGranted, type Oracle, placeOf } from '../oracle/index.js';
import { makeReport, type Report, serverTarget, type VerdictInput } from '../report/index.js';
import { type Subject, Untested } from '../subject/index.js';
import { headerValues } from '../wire/index.js';
import { Allowance } from './allowance.js';
import { type AnswerMonitor, monitorAnswers } from './answer-monitor.js';
import { withCulprits, withFlaky } from './culprit.js';
import { explainFindings } from './explain.js';
import { type Judged, judge } from './judge.js';
import { type Run, select } from './phases.js';
import { loadNewman } from './postman.js';
import { preflight } from './preflight.js';
import { clockUnfollowed, type Preflight, probeConnections, unlessUnsteady } from './probes.js';
import { ProgressTeller } from './progress.js';
import { dropAdvice, lastUnusual, noteOtherLifetime, remarksOf } from './remarks.js';
import { type OpenTarget, openTarget } from './target.js';
import { type ConformanceOptions, validateOptions } from './validate-options.js';

/** About so many requests of a run are no combinations; and so many more where a clock is moved. */
const usualRequests = 750;
const clockRequests = 300;

/** Judges a target and gives the report. Rejects only for options that cannot be used. */
export async function runConformance(given: ConformanceOptions): Promise<Report> {
  const options = validateOptions(given);
  const { signal, onProgress, replay } = given;
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
    return await conclude(run, { ...started, judgingMs }, ready, ready.fatal === undefined ? await judge(run, answerMs) : undefined);
  } finally {
    run.newman?.end();
    await target.close();
  }
}

async function prepare(target: OpenTarget): Promise<Preflight> {
  if (target.clockTrouble !== undefined) return { fatal: `The clock failed: ${target.clockTrouble}` };
  try {
    return await preflight(target, await probeConnections(target));
  } catch (error) {
    // A budget can be spent before anything is known of the target.
    if (!(error instanceof Untested)) throw error;
    return { fatal: `The target cannot be judged: ${error.message}.` };
  }
}

/** What answers alone showed, whoever asked and in whichever order: the outcome of each law about answers, by its row, and the rows that some answer contradicts. */
export async function seenOf(monitor: AnswerMonitor, oracle: Oracle) {
  const answers: Record<string, string> = Object.fromEntries((await monitor.findings()).map((each) => [each.requirement, each.outcome]));
  return { answers, contradicted: [...new Set(oracle.contradictions().map(({ expectation }) => expectation.requirement))] };
}

/** What the longest chain of requests grew by, and when. */
function depthBy(depths: Judged['depths'], last: number) {
  return [...depths, { what: 'after that', depth: last }].flatMap(({ what, depth }, index) => {
    const requests = depth - (depths[index - 1]?.depth ?? 0);
    return requests > 0 ? [{ what, requests }] : [];
  });
}

async function conclude(
  run: Run,
  started: { readonly at: Date; readonly ms: number; readonly judgingMs: number },
  ready: Preflight,
  judged: Judged | undefined,
): Promise<Report> {
  const { options, selection, signal, target } = run;
  const { spec, baseUrl, users, insecure } = options;
  const { redactor, client, facts, oracle } = target;
  const { protocol, catalogue } = spec;
  run.allowance.isConcluding = true;
  // Whether something else moved the clock is to be known before anything is concluded.
  await target.clock.now().catch(() => undefined);
  // What a wrong call brings about says nothing of the target.
  const answered = (judged?.findings ?? []).map((each) => whileItAnswered(each, target));
  const selected: ReadonlySet<string> = run.replay === undefined && selection.withLaws ? selection.rows : new Set();
  const firstPlace = placeOf(`${target.basePath}/${target.collections[0]}`);
  const explaining = { catalogue, protocol, oracle, firstPlace, selected, sinceMs: started.judgingMs };
  const seen = judged === undefined ? [] : explainFindings(answered, explaining);
  const isLate = seen.some(({ requirement, outcome }) => outcome === 'fail' && isExpiry(requirement, target));
  const unfollowed = facts.clockUnfollowed ?? (isLate && !signal?.aborted ? await clockUnfollowed(target) : undefined);
  const told = seen.map((each) => unlessUnsteady(unlessClockDoubtful(each, target, unfollowed), target));
  const { clockShared } = facts;
  const isAsked = run.replay === undefined && !signal?.aborted && facts.unsteady === undefined;
  const findings = isAsked ? await withFlaky(await withCulprits(told, target, selection.rows), target, run.monitor) : told;
  // What cannot be found out here is only no hint.
  if (isLate && isAsked && unfollowed === undefined && clockShared === undefined) await noteOtherLifetime(target).catch(() => undefined);
  const given = options.headers.map(([name]) => name);
  const concluded: VerdictInput = {
    spec,
    options,
    target: serverTarget(options),
    findings,
    observations: (judged?.observations ?? []).map((each) =>
      clockShared === undefined ? each : { ...each, answer: 'not observed', evidence: clockShared },
    ),
    startedAt: started.at,
    durationMs: Math.round(performance.now() - started.ms),
    requests: client.requests + (judged?.requests ?? 0),
    depth: client.depth,
    depthBy: depthBy(judged?.depths ?? [], client.depth),
    coverage: judged?.coverage,
    cases: judged?.cases,
    error: errorOf(target, ready, judged, unfollowed),
    fatal: judged === undefined,
    ...(client.rateLimited === 0 ? {} : { limitedBy: `The target limits rates: ${client.rateLimited} requests were told to slow down.` }),
    // A reason in words, such as a deadline, is told as it is.
    interrupted: signal?.aborted === true && (typeof signal.reason === 'string' ? signal.reason : true),
    remarks: [
      ...remarksOf(target),
      ...(judged?.leftOut ?? []),
      ...(options.notRun === undefined ? [] : [options.notRun]),
      ...(judged === undefined ? [] : redactor.warnings()),
    ],
    engines: options.engines,
    selected: selection.rows,
    record: (chain) => recordChain(chain, { baseUrl, redactor }),
    curl: (chain) => curlScript(chain, { baseUrl, users, protocol, redactor, insecure, given, issued: (nonce) => oracle.issued(nonce) }),
    redact: (text) => redactor.sentence(text),
  };
  const unwritten = target.recorder?.close({ check: await carriedOf(run, concluded) }) ?? [];
  return makeReport({ ...concluded, remarks: [...concluded.remarks, ...unwritten] });
}

export type Carried = Awaited<ReturnType<typeof carriedOf>>;

/** What goes with a recording, so that it can be judged again: all that its report was made of, and what is needed to look at the answers again. */
async function carriedOf(
  { options, selection, target, monitor }: Run,
  { spec, selected: _selected, record: _record, curl: _curl, redact: _redact, ...concluded }: VerdictInput,
) {
  const { auth, seed, runs, baseline, strict, collections, toleranceMs } = options;
  return {
    ...concluded,
    profile: profileOf(spec),
    options: { auth, seed, runs, baseline, strict },
    unselected: spec.catalogue.rows.flatMap(({ id }) => (selection.rows.has(id) ? [] : [id])),
    collections,
    toleranceMs,
    /** The target's clock is real time, and nothing moves it. */
    clockRuns: !target.clock.isInstant,
    challengeStatus: target.facts.challengeStatus,
    seen: await seenOf(monitor, target.oracle),
  };
}

/** What a gateway answers more often than that in place of the service is not now and then. */
const nowAndThen = 0.1;
const aFew = 5;

/** Why there may be no verdict, the gravest reason first. */
function errorOf(target: OpenTarget, ready: Preflight, judged: Judged | undefined, unfollowed: string | undefined): string | undefined {
  const { clockFailed, clockShared = clockFailed ?? unfollowed } = target.facts;
  const { over } = target.patience;
  const clock = clockShared && `The clock failed: ${clockShared}`;
  const gone = over && `The run broke off: ${sentence(over)}${dropAdvice(target)}${lastUnusual(target)}`;
  const { contradicted, of } = target.oracle.ofGateways;
  const lost =
    contradicted > Math.max(aFew, of * nowAndThen)
      ? `A gateway answered ${contradicted} of ${of} requests that had to be granted (502, 504, 520 to 530), too many to tell what the service does. Make sure that it is ready, and run this again.`
      : undefined;
  return ready.fatal ?? ready.unlessFound ?? clock ?? gone ?? lost ?? judged?.brokenCollection;
}

/** Where the target was given up, nobody could ask again for an answer that did not come. */
function whileItAnswered(finding: Finding, { patience: { over } }: OpenTarget): Finding {
  const last = lastOf(finding.chain);
  const isCut = over !== undefined && finding.outcome === 'fail' && last !== undefined && last.answer === undefined;
  return isCut ? untested(finding, over, 'target') : finding;
}

/** Where the target does not follow the clock, nothing about expiry says anything of it; where something else moved it, nor does what ended. */
function unlessClockDoubtful(finding: Finding, target: OpenTarget, unfollowed: string | undefined): Finding {
  const { clockShared } = target.facts;
  const { nonce, token } = target.protocol.headers;
  const message = clockShared ?? unfollowed;
  if (message === undefined || finding.outcome === 'untested') return finding;
  const last = clockShared === undefined ? undefined : lastOf(finding.chain);
  const isBrought = last !== undefined && [nonce, token].some((name) => headerValues(last.request, name).length > 0);
  const isEnded = isBrought && !isGranted(last, target.protocol);
  return isEnded || isExpiry(finding.requirement, target) ? untested(finding, message, 'call') : finding;
}

const isExpiry = (requirement: string, { spec }: OpenTarget): boolean => spec.catalogue.requirement(requirement).step === 'expiry';
