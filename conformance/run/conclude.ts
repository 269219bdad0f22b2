import { profileOf } from '../../spec/index.js';
import { curlScript, recordChain } from '../evidence/index.js';
import { type Finding, sentence } from '../finding.js';
import { isGranted, placeOf } from '../oracle/index.js';
import { makeReport, type Report, serverTarget, type VerdictInput } from '../report/index.js';
import { headerValues, isClockMove } from '../wire/index.js';
import { type Carried, seenOf } from './carried.js';
import { clockUnfollowed } from './clock-check.js';
import { withCulprits } from './culprit.js';
import { lastUnusual } from './endings.js';
import { explainFindings } from './explain.js';
import { withFlaky } from './flaky.js';
import type { Judged, Run } from './judge.js';
import type { Preflight } from './log-in-all.js';
import { noteOtherLifetime } from './profile-hint.js';
import { dropAdvice, remarksOf } from './remarks.js';
import type { OpenTarget } from './target.js';
import { unlessUnsteady } from './unsteady.js';

/** Makes the report of what a run found, without secrets. */
export async function conclude(
  run: Run,
  started: { readonly at: Date; readonly ms: number; readonly judgingMs: number },
  ready: Preflight,
  judged: Judged,
): Promise<Report> {
  const { options, selection, signal, target } = run;
  const { spec, baseUrl } = options;
  const { redactor, client } = target;
  // Whether something else moved the clock is to be known before anything is concluded.
  await target.clock.now().catch(() => undefined);
  // What a wrong call brings about says nothing of the target.
  const seen = ready.fatal === undefined ? findingsOf(run, judged.findings, started.judgingMs) : [];
  const isLate = seen.some(({ requirement, outcome }) => outcome === 'fail' && isExpiry(requirement, target));
  const unfollowed = isLate && !signal?.aborted ? await clockUnfollowed(target) : undefined;
  const told = seen.map((each) => unlessUnsteady(unlessClockDoubtful(each, target, unfollowed), target));
  const { clockShared } = target.facts;
  const isAsked = run.replay === undefined && !signal?.aborted && target.facts.unsteady === undefined;
  const findings = isAsked ? await withFlaky(await withCulprits(told, target, selection.rows), target, run.monitor) : told;
  // What cannot be found out here is only no hint.
  if (isLate && isAsked && unfollowed === undefined && clockShared === undefined) await noteOtherLifetime(target).catch(() => undefined);
  const concluded: VerdictInput = {
    spec,
    options,
    target: serverTarget(options),
    findings,
    observations: judged.observations.map((each) =>
      clockShared === undefined ? each : { ...each, answer: 'not observed', evidence: clockShared },
    ),
    startedAt: started.at,
    durationMs: Math.round(performance.now() - started.ms),
    requests: client.requests + judged.requests,
    depth: client.depth,
    coverage: judged.coverage,
    cases: judged.cases,
    error: errorOf(target, ready, judged, unfollowed),
    fatal: ready.fatal !== undefined,
    ...(client.rateLimited === 0 ? {} : { limitedBy: `The target limits rates: ${client.rateLimited} requests were told to slow down.` }),
    // A reason in words, such as a deadline, is told as it is.
    interrupted: signal?.aborted === true && (typeof signal.reason === 'string' ? signal.reason : true),
    remarks: [
      ...remarksOf(target),
      ...judged.leftOut,
      ...(options.notRun === undefined ? [] : [options.notRun]),
      ...(ready.fatal === undefined ? redactor.warnings() : []),
    ],
    engines: options.engines,
    selected: selection.rows,
    record: (chain) => recordChain(chain, { baseUrl, redactor }),
    curl: (chain) =>
      curlScript(chain, {
        baseUrl,
        users: options.users,
        protocol: spec.protocol,
        redactor,
        insecure: options.insecure,
        given: options.headers.map(([name]) => name),
        issued: (nonce) => target.oracle.issued(nonce),
      }),
    redact: (text) => redactor.sentence(text),
  };
  const unwritten = target.recorder?.close({ check: await carriedOf(run, concluded) }) ?? [];
  return makeReport({ ...concluded, remarks: [...concluded.remarks, ...unwritten] });
}

/** What goes with a recording, so that it can be judged again: what the run found, and what it saw of the answers alone. */
async function carriedOf(
  { options, selection, target, monitor }: Run,
  { spec, selected: _, ...concluded }: VerdictInput,
): Promise<Carried> {
  const { auth, seed, runs, baseline, strict, collections } = options;
  return {
    ...concluded,
    profile: profileOf(spec),
    options: { auth, seed, runs, baseline, strict },
    unselected: spec.catalogue.rows.flatMap(({ id }) => (selection.rows.has(id) ? [] : [id])),
    collections,
    toleranceMs: options.toleranceMs,
    clockRuns: !target.clock.isInstant,
    challengeStatus: target.facts.challengeStatus,
    seen: await seenOf(monitor, target.oracle),
  };
}

function findingsOf({ options, selection, replay, target }: Run, found: readonly Finding[], sinceMs: number): Finding[] {
  return explainFindings(
    found.map((each) => whileItAnswered(each, target)),
    {
      catalogue: options.spec.catalogue,
      protocol: options.spec.protocol,
      oracle: target.oracle,
      firstPlace: placeOf(`${target.basePath}/${target.collections[0]}`),
      selected: replay === undefined && selection.withLaws ? selection.rows : new Set(),
      sinceMs,
    },
  );
}

/** Why there may be no verdict, the gravest reason first. */
function errorOf(
  target: OpenTarget,
  { fatal, unlessFound }: Preflight,
  { brokenCollection }: Judged,
  unfollowed: string | undefined,
): string | undefined {
  const { clockFailed, clockShared = clockFailed ?? unfollowed } = target.facts;
  const clock = clockShared === undefined ? undefined : `The clock failed: ${clockShared}`;
  const gone =
    target.gone === undefined ? undefined : `The run broke off: ${sentence(target.gone)}${dropAdvice(target)}${lastUnusual(target)}`;
  return fatal ?? clock ?? unlessFound ?? gone ?? brokenCollection;
}

/** Where the target was given up, nobody could ask again for an answer that did not come. */
function whileItAnswered(finding: Finding, { gone }: OpenTarget): Finding {
  const last = finding.chain?.at(-1);
  if (gone === undefined || finding.outcome !== 'fail' || last === undefined || isClockMove(last) || last.answer !== undefined)
    return finding;
  const { requirement, check, engine } = finding;
  return { requirement, check, engine, outcome: 'untested', through: 'target', message: gone };
}

/** Where the target does not follow the clock, nothing about expiry says anything of it; where something else moved it, nor does what ended. */
function unlessClockDoubtful(finding: Finding, target: OpenTarget, unfollowed: string | undefined): Finding {
  const { requirement, check, engine, outcome, chain } = finding;
  const {
    protocol,
    facts: { clockShared },
  } = target;
  const message = clockShared ?? unfollowed;
  if (message === undefined || outcome === 'untested') return finding;
  const last = chain?.at(-1);
  const brings = [protocol.headers.nonce, protocol.headers.token];
  const isEnded =
    clockShared !== undefined &&
    last !== undefined &&
    !isClockMove(last) &&
    !isGranted(last, protocol) &&
    brings.some((name) => headerValues(last.request, name).length > 0);
  if (!isEnded && !isExpiry(requirement, target)) return finding;
  return { requirement, check, engine, outcome: 'untested', through: 'call', message };
}

const isExpiry = (requirement: string, { spec }: OpenTarget): boolean => spec.catalogue.requirement(requirement).step === 'expiry';
