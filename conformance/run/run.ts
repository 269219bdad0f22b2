import { curlScript, recordChain } from '../evidence/index.js';
import type { Finding } from '../finding.js';
import { history } from '../history/index.js';
import { laws as allLaws, type Law, type Phase } from '../laws/index.js';
import { observers as allObservers } from '../observe/index.js';
import type { RunOptions } from '../options.js';
import { makeReport, type Report } from '../report/index.js';
import type { Subject } from '../subject/index.js';
import { monitorAnswers } from './answer-monitor.js';
import { checkThatClockMoves } from './clock-moves.js';
import type { ConformanceOptions } from './conformance-options.js';
import { probeConnections } from './connections.js';
import { type Found, runPhase, type Work } from './phases.js';
import { loadNewman, startPostman } from './postman.js';
import { preflight } from './preflight.js';
import { selectedIds } from './selection.js';
import { type OpenTarget, openTarget } from './target.js';
import { validateOptions } from './validate-options.js';

const phases: readonly Phase[] = ['plain', 'clock', 'wrong-credentials', 'history'];

/** Judges a target and gives the report. Rejects only for options that cannot be used. */
export async function runConformance(options: ConformanceOptions): Promise<Report> {
  return run(validateOptions(options), options);
}

async function run(
  options: RunOptions,
  { signal, onProgress, replay }: Pick<ConformanceOptions, 'signal' | 'onProgress' | 'replay'>,
): Promise<Report> {
  const startedAt = new Date();
  const startedMs = performance.now();
  const selected = new Set(selectedIds(options));
  const laws = options.engines.includes('laws')
    ? [...allLaws, history].filter(
        (law) => selected.has(law.requirement) && (replay ?? [{ check: law.id }]).some(({ check }) => check === law.id),
      )
    : [];
  const observers =
    options.engines.includes('laws') && options.auth === 'on' ? allObservers.filter((each) => selected.has(each.requirement)) : [];
  const passing = monitorAnswers(laws, () => target as Subject);
  const target: OpenTarget = await openTarget(options, signal, passing.watch);
  const found: Found = { findings: [], observations: [] };
  const interrupted = () => signal?.aborted === true;
  let done = 0;
  const total = laws.length + (options.engines.includes('postman') ? 1 : 0);
  const ended = (what: string) => onProgress?.({ done: ++done, total, what });
  let requestsOfOthers = 0;
  const newman = loadNewman(options);
  try {
    await probeConnections(target);
    const ready = await preflight(target);
    if (ready.fatal === undefined) {
      const work: Work = {
        subject: target,
        laws,
        observers,
        how: { runs: options.runs, seed: options.seed },
        inPassing: passing.findings,
        paths: new Map((replay ?? []).map(({ check, path }) => [check, path])),
        ...(laws.includes(history) ? { interleaving: history.requirement } : {}),
        ended,
        stopped: () => interrupted() || target.gone !== undefined,
      };
      const postman = startPostman(options, target, selected, signal, newman);
      for (const phase of phases) {
        if (phase === 'clock') {
          await postman.beforeClock();
          await checkThatClockMoves(target).catch(() => {});
        }
        add(found, await runPhase(phase, phase === 'history' ? withoutHistory(work, found.findings) : work));
        if (phase === 'clock') add(found, await postman.atClock());
      }
      requestsOfOthers = postman.requests();
      if (options.engines.includes('postman')) ended('postman');
      merge(found.findings, await passing.findings());
    }
    const error = ready.fatal ?? ready.unlessFound ?? (target.gone === undefined ? undefined : `The run broke off: ${target.gone}.`);
    return makeReport({
      spec: options.spec,
      options,
      findings: found.findings,
      observations: found.observations,
      startedAt,
      durationMs: Math.round(performance.now() - startedMs),
      requests: target.client.requests + requestsOfOthers,
      error,
      interrupted: interrupted(),
      remarks: remarksOf(target),
      engines: options.engines,
      selected,
      record: (chain) => recordChain(chain, { baseUrl: options.baseUrl, redactor: target.redactor }),
      curl: (chain) =>
        curlScript(chain, {
          baseUrl: options.baseUrl,
          users: options.users,
          protocol: options.spec.protocol,
          redactor: target.redactor,
          insecure: options.insecure,
        }),
      redact: (text) => target.redactor.text(text),
    });
  } finally {
    (await newman)?.end();
    await target.close();
  }
}

function add(found: Found, more: Found): void {
  found.findings.push(...more.findings);
  found.observations.push(...more.observations);
}

/** A history shows again what single laws have already told: then it is left out. */
function withoutHistory(work: Work, findings: readonly Finding[]): Work {
  const told = [
    ...new Set(
      findings
        .filter((each) => each.outcome === 'fail' && /^(challenge\.(nonce|status)|exchange|token|expiry)/.test(each.requirement))
        .map((each) => each.requirement),
    ),
  ];
  if (told.length === 0) return work;
  const explained = (law: Law): Law => ({
    ...law,
    check: async () => ({
      requirement: law.requirement,
      check: law.id,
      engine: 'laws',
      outcome: 'untested',
      message: `histories would show again what is told by ${told.join(', ')}`,
    }),
  });
  return { ...work, laws: work.laws.map((law) => (law.phase === 'history' ? explained(law) : law)) };
}

/** What was found in passing adds to a law that passed; of one that failed it is the same again. */
function merge(findings: Finding[], inPassing: readonly Finding[]): void {
  const failed = new Set(findings.filter((each) => each.outcome === 'fail').map((each) => each.requirement));
  findings.push(...inPassing.filter((each) => !failed.has(each.requirement)));
}

function remarksOf(target: OpenTarget): string[] {
  const remarks: string[] = [];
  if (target.facts.oneConnection !== undefined) remarks.push(target.facts.oneConnection);
  if (target.facts.oneAtATime !== undefined) remarks.push(target.facts.oneAtATime);
  for (const [request, location] of [...target.redirects].slice(0, 3))
    remarks.push(`${request} was answered with a redirect to ${location}. Redirects are never followed.`);
  if (target.redirects.size > 3) remarks.push(`${target.redirects.size - 3} more requests were answered with redirects.`);
  return remarks;
}
