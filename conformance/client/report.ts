import { createRedactor, recordChain } from '../evidence/index.js';
import type { Finding, Observation } from '../finding.js';
import { makeReport, type Report, type ReportTarget, type VerdictInput } from '../report/index.js';
import type { RowSettings } from './options.js';
import type { Traffic } from './traffic/index.js';

/** What was seen of a client, from whichever engine. */
interface Judged {
  readonly engine: 'scenarios' | 'watch';
  readonly target: ReportTarget;
  readonly traffic: readonly Traffic[];
  /** What is to be said of a row, and of an open question where it can be answered. */
  findings(row: string): readonly Finding[];
  observation?(row: string): Observation;
  readonly startedAt: Date;
  readonly interrupted?: boolean;
  readonly remarks: readonly string[];
  readonly error?: string | undefined;
  /** Told what the report is made of. */
  readonly recorded?: (concluded: VerdictInput) => readonly string[];
}

/** A report about a client. */
export function clientReport({ spec, selected, baseline, strict }: RowSettings, judged: Judged): Report {
  const { engine, target, traffic, findings, observation, startedAt, interrupted, remarks, error } = judged;
  const redactor = createRedactor(spec.protocol);
  for (const { users, tokens } of traffic) {
    for (const { id, paraphrase } of users) redactor.user(String(id), paraphrase);
    for (const { value } of tokens) redactor.token(value);
  }
  const rowsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).filter((id) => selected.has(id));
  const concluded: VerdictInput = {
    ...{ spec, target, startedAt, selected, interrupted, error },
    // The users of a scenario are not the caller's.
    remarks: [...remarks, ...(engine === 'watch' ? redactor.warnings() : [])],
    options: { auth: 'on', seed: 0, runs: 0, baseline, strict },
    findings: rowsOf(spec.catalogue.requirements).flatMap(findings),
    observations: observation === undefined ? [] : rowsOf(spec.catalogue.open).map(observation),
    durationMs: Date.now() - startedAt.getTime(),
    requests: traffic.reduce((sum, { requests }) => sum + requests.length, 0),
    engines: [engine],
    record: (chain) => recordChain(chain, { baseUrl: new URL(engine === 'watch' ? target.url : 'http://127.0.0.1'), redactor }),
    // The service of a scenario is gone when it is over; the client itself repeats it.
    curl: () => null,
    redact: redactor.text,
  };
  return makeReport({ ...concluded, remarks: [...concluded.remarks, ...(judged.recorded?.(concluded) ?? [])] });
}
