import { curlScript, recordChain } from '../evidence/index.js';
import { type Finding, sentence } from '../finding.js';
import { placeOf } from '../oracle/index.js';
import { makeReport, type Report, serverTarget } from '../report/index.js';
import { isClockMove } from '../wire/index.js';
import { withCulprits } from './culprit.js';
import { lastUnusual } from './endings.js';
import { explainFindings } from './explain.js';
import type { Judged, Run } from './judge.js';
import type { Preflight } from './log-in-all.js';
import { dropAdvice, remarksOf } from './remarks.js';
import type { OpenTarget } from './target.js';

/** Makes the report of what a run found, without secrets. */
export async function conclude(
  run: Run,
  started: { readonly at: Date; readonly ms: number },
  ready: Preflight,
  judged: Judged,
): Promise<Report> {
  const { options, selection, signal, target } = run;
  const { spec, baseUrl } = options;
  const { redactor, client } = target;
  // What a wrong call brings about says nothing of the target.
  const told = ready.fatal === undefined ? findingsOf(run, judged.findings) : [];
  const findings = run.replay === undefined && !signal?.aborted ? await withCulprits(told, target, selection.rows) : told;
  return makeReport({
    spec,
    options,
    target: serverTarget(options),
    findings,
    observations: judged.observations,
    startedAt: started.at,
    durationMs: Math.round(performance.now() - started.ms),
    requests: client.requests + judged.requests,
    depth: client.depth,
    coverage: judged.coverage,
    cases: judged.cases,
    error: errorOf(target, ready, judged),
    fatal: ready.fatal !== undefined,
    ...(client.rateLimited === 0 ? {} : { limitedBy: `The target limits rates: ${client.rateLimited} requests were told to slow down.` }),
    interrupted: signal?.aborted === true,
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
  });
}

function findingsOf({ options, selection, replay, target }: Run, found: readonly Finding[]): Finding[] {
  return explainFindings(
    found.map((each) => whileItAnswered(each, target)),
    {
      catalogue: options.spec.catalogue,
      protocol: options.spec.protocol,
      oracle: target.oracle,
      firstPlace: placeOf(`${target.basePath}/${target.collections[0]}`),
      selected: replay === undefined && selection.withLaws ? selection.rows : new Set(),
      known: new Set(options.baseline.map(({ requirement }) => requirement)),
    },
  );
}

/** Why there may be no verdict, the gravest reason first. */
function errorOf(target: OpenTarget, { fatal, unlessFound }: Preflight, { brokenCollection }: Judged): string | undefined {
  const { clockFailed } = target.facts;
  const clock = clockFailed === undefined ? undefined : `The clock failed: ${clockFailed}`;
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
