import { Combinations, isCombination } from '../combinations/index.js';
import { curlScript, recordChain } from '../evidence/index.js';
import { type Finding, sentence } from '../finding.js';
import { history } from '../history/index.js';
import { laws as allLaws, answerLaws, type Law, type Phase } from '../laws/index.js';
import { observers as allObservers } from '../observe/index.js';
import type { RunOptions } from '../options.js';
import { makeReport, type Report, selectedIds, serverTarget } from '../report/index.js';
import type { Subject } from '../subject/index.js';
import { isClockMove } from '../wire/index.js';
import { Allowance } from './allowance.js';
import { monitorAnswers } from './answer-monitor.js';
import type { ConformanceOptions } from './conformance-options.js';
import { probeConnections } from './connections.js';
import { explainFindings } from './explain.js';
import { type Found, runPhase, type Work } from './phases.js';
import { loadNewman, startPostman } from './postman.js';
import { preflight } from './preflight.js';
import { dropAdvice, remarksOf } from './remarks.js';
import { type OpenTarget, openTarget } from './target.js';
import { validateOptions } from './validate-options.js';

/** About so many requests of a run are no combinations. */
const usualRequests = 1200;
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
  const withLaws = options.engines.includes('laws');
  const isWanted = (law: Law) => selected.has(law.requirement) && (replay === undefined || replay.some(({ check }) => check === law.id));
  const laws = withLaws ? [...allLaws, history as Law].filter(isWanted) : [];
  const looking = withLaws ? answerLaws.filter(({ requirement }) => selected.has(requirement)) : [];
  const observers = withLaws && options.auth === 'on' ? allObservers.filter((each) => selected.has(each.requirement)) : [];
  const monitor = monitorAnswers(looking, () => target as Subject);
  const allowance = new Allowance(options.budget, startedMs);
  const target: OpenTarget = await openTarget(options, signal, allowance, monitor.watch);
  const found: Found = { findings: [], observations: [] };
  const interrupted = () => signal?.aborted === true;
  let done = 0;
  const total = laws.length + (options.engines.includes('postman') ? 1 : 0);
  let expected = (usualRequests * laws.length) / allLaws.length;
  const ended = (what: string) => {
    const { pace, requests } = target.client;
    const { perSecond } = pace;
    const leftMs = perSecond === undefined ? 0 : (1000 * Math.max(0, expected - requests)) / perSecond;
    onProgress?.({ done: ++done, total, what, ...(perSecond === undefined ? {} : { pace: { perSecond, leftMs } }) });
  };
  let requestsOfOthers = 0;
  let brokenCollection: string | undefined;
  let coverage: Report['coverage'];
  let leftOut: readonly string[] = [];
  const newman = loadNewman(options);
  try {
    if (target.clockTrouble === undefined) await probeConnections(target);
    const ready = target.clockTrouble === undefined ? await preflight(target) : { fatal: `The clock failed: ${target.clockTrouble}` };
    const answerMs = (performance.now() - startedMs) / Math.max(1, target.client.requests);
    if (ready.fatal === undefined) {
      const roles = new Set(looking.flatMap((law) => law.roles));
      const combinations = new Combinations(target, {
        runs: options.runs,
        seed: options.seed,
        strength: options.strength,
        wanted: (rows) => withLaws && (looking.length > 0 || rows.some((row) => selected.has(row))),
        ...(replay === undefined ? {} : { paths: replay.filter(isCombination).map(({ path }) => path) }),
      });
      const planned = combinations.cases.length;
      const room = allowance.room(planned, answerMs);
      combinations.keepFirst(room.combinations);
      leftOut = allowance.leftOut(planned, room);
      expected += combinations.cases.length;
      if (target.facts.challengeStatus !== undefined && combinations.tuples > 0)
        coverage = { pairs: combinations.tuples, combinations: combinations.cases.length, strength: options.strength };
      const work: Work = {
        subject: target,
        laws,
        observers,
        combinations,
        roles,
        how: { runs: room.randomCases ? options.runs : 1, seed: options.seed },
        ...(replay === undefined ? {} : { replay }),
        ended,
        stopped: () => interrupted() || target.gone !== undefined,
      };
      const engines = room.collection ? options.engines : options.engines.filter((engine) => engine !== 'postman');
      const postman = startPostman({ ...options, engines }, target, selected, signal, newman);
      add(found, await runPhase('plain', work));
      // The collection uses the same accounts, so it does not run beside the laws.
      await postman.beforeClock();
      for (const phase of phases.slice(1)) {
        add(found, await runPhase(phase, work));
        if (phase === 'clock') add(found, await postman.atClock());
      }
      requestsOfOthers = postman.requests();
      brokenCollection = postman.broken();
      if (options.engines.includes('postman')) ended('postman');
      const own = [...combinations.findings(), ...(replay === undefined ? await monitor.findings() : [])].filter((each) =>
        selected.has(each.requirement),
      );
      found.findings.push(...own);
    }
    const { facts } = target;
    const clockFailed = facts.clockFailed === undefined ? undefined : `The clock failed: ${facts.clockFailed}`;
    const broken = target.gone === undefined ? undefined : `The run broke off: ${sentence(target.gone)}${dropAdvice(target)}`;
    return makeReport({
      spec: options.spec,
      options,
      target: serverTarget(options),
      // What a wrong call brings about says nothing of the target.
      findings:
        ready.fatal !== undefined
          ? []
          : explainFindings(
              found.findings.map((each) => whileItAnswered(each, target)),
              {
                catalogue: options.spec.catalogue,
                protocol: options.spec.protocol,
                ledger: target.ledger,
                selected: replay === undefined && withLaws ? selected : new Set(),
                known: new Set(options.baseline.map(({ requirement }) => requirement)),
              },
            ),
      observations: found.observations,
      startedAt,
      durationMs: Math.round(performance.now() - startedMs),
      requests: target.client.requests + requestsOfOthers,
      depth: target.client.depth,
      coverage,
      error: ready.fatal ?? clockFailed ?? ready.unlessFound ?? broken ?? brokenCollection,
      fatal: ready.fatal !== undefined,
      ...(target.client.rateLimited === 0
        ? {}
        : { limitedBy: `The target limits rates: ${target.client.rateLimited} requests were told to slow down.` }),
      interrupted: interrupted(),
      remarks: [...remarksOf(target), ...leftOut],
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
          given: options.headers.map(([name]) => name),
          issued: (nonce) => target.ledger.issued(nonce),
        }),
      redact: (sentence) => target.redactor.sentence(sentence),
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

/** Where the target was given up, nobody could ask again for an answer that did not come. */
function whileItAnswered(finding: Finding, { gone }: OpenTarget): Finding {
  const last = finding.chain?.at(-1);
  if (gone === undefined || finding.outcome !== 'fail' || last === undefined || isClockMove(last) || last.answer !== undefined)
    return finding;
  const { requirement, check, engine } = finding;
  return { requirement, check, engine, outcome: 'untested', through: 'target', message: gone };
}
