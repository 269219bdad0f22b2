import { spec } from '../../spec/index.js';
import { createRedactor, recordChain } from '../evidence/index.js';
import type { Finding, Observation } from '../finding.js';
import { makeReport, type Report } from '../report/index.js';
import type { Enacted } from './enact.js';
import { findingsOf } from './findings.js';
import { type ClientSettings, clientSpec } from './options.js';

interface Ending {
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly interrupted: boolean;
  readonly error?: string;
}

/** What the scenarios showed of a client, as a report. */
export function clientReport(settings: ClientSettings, all: readonly Enacted[], ended: Ending): Report {
  const { selected, baseline, strict, target } = settings;
  const redactor = createRedactor(spec.protocol);
  for (const { user, tokens } of all) {
    redactor.user(String(user.id), user.paraphrase);
    for (const token of tokens) redactor.token(token);
  }
  return makeReport({
    spec: clientSpec,
    options: { auth: 'on', seed: 0, runs: 0, baseline, strict },
    target,
    findings: clientSpec.catalogue.requirements.filter(({ id }) => selected.has(id)).flatMap(({ id }) => judged(id, all, ended)),
    observations: clientSpec.catalogue.open.filter(({ id }) => selected.has(id)).map(({ id }) => observed(id, all)),
    ...ended,
    requests: all.reduce((sum, { log }) => sum + log.requests.length, 0),
    remarks: [...new Set(all.flatMap(({ result }) => (result.remark === undefined ? [] : [result.remark]))), ...redactor.warnings()],
    engines: ['scenarios'],
    selected,
    record: (chain) => recordChain(chain, { baseUrl: new URL('http://127.0.0.1'), redactor }),
    // The service of a scenario is gone when it is over; the client itself repeats it.
    curl: () => null,
    redact: redactor.text,
  });
}

function judged(requirement: string, all: readonly Enacted[], { error }: Ending): Finding[] {
  const findings = findingsOf(requirement, all);
  if (findings.length > 0) return findings;
  const message = `Not exercised${error === undefined ? ': no scenario came to it.' : `. ${error}`}`;
  return [{ requirement, check: requirement, engine: 'scenarios', outcome: 'untested', message }];
}

function observed(requirement: string, all: readonly Enacted[]): Observation {
  for (const { scenario, seen, result } of all) {
    const answer = result.trouble === undefined && result.unsupported === undefined ? scenario.observes?.[requirement]?.(seen) : undefined;
    if (answer !== undefined) return { requirement, answer, evidence: scenario.given };
  }
  return { requirement, answer: 'not observed', evidence: 'No scenario showed it.' };
}
