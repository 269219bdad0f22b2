import type { Engine, Requirement, SourcePoint } from '../../spec/index.js';
import { capital, type Finding, present, sentence, severityOf } from '../finding.js';
import type { BaselineEntry } from '../options.js';
import type { Chain } from '../wire/index.js';
import type { Outcome, ReportCheck, ReportExchange, ReportRequirement } from './report.js';
import { engineWords } from './words.js';

interface Evidence {
  /** All that was said of this one requirement. */
  readonly findings: readonly Finding[];
  readonly sources: readonly SourcePoint[];
  readonly baseline: readonly BaselineEntry[];
  readonly engines: readonly Engine[];
  /** The run ended early. */
  readonly ended: boolean;
  readonly record: (chain: Chain) => readonly ReportExchange[];
  readonly curl: (chain: Chain) => string | null;
  readonly redact: (text: string) => string;
}

export function makeRequirement(row: Requirement, evidence: Evidence): ReportRequirement {
  const { baseline, redact } = evidence;
  const findings = inOrder(evidence);
  const came = (outcome: Finding['outcome']) => findings.some((finding) => finding.outcome === outcome);
  const passed = came('pass') && !findings.some((finding) => isGap(finding, findings));
  const known = baseline.find((entry) => entry.requirement === row.id);
  const outcome = outcomeOf(row, { failed: came('fail'), flaky: came('flaky'), passed, known });
  const reason = outcome === 'untested' ? untestedReason(row, evidence) : outcome === 'known-failure' ? known?.reason : undefined;
  const restsOn = outcome === 'pass' ? basisOf(findings) : '';
  const clauses = evidence.sources.filter(({ point }) => row.source.includes(point));
  const { id, level, section, step, statement, hint } = row;
  return {
    ...{ id, level, section, clauses, step, statement, hint, outcome },
    ...present({
      reason: reason && redact(reason),
      uncheckable: row.engines.length === 0 || undefined,
      unseeable: (outcome === 'untested' && isUnseeable(row, evidence)) || undefined,
      restsOn: restsOn === '' ? undefined : redact(restsOn),
      disagreement: disagreementOf(findings),
    }),
    checks: findings.map((finding) => checkOf(finding, evidence)),
  };
}

/** Traffic is judged as it came, and shows of a client only what the catalogue names the watch for. */
function isUnseeable({ engines }: Requirement, { engines: ran }: Evidence): boolean {
  return ran.includes('watch') && engines.includes('scenarios') && !engines.includes('watch');
}

/** A check of the engine that tries most was not tried: it can show what no other can, so that their passes do not stand for it. A budget asks for less. */
function isGap({ outcome, engine, through }: Finding, findings: readonly Finding[]): boolean {
  return outcome === 'untested' && through !== 'budget' && engine === findings[0]?.engine;
}

/**
 * Engines and checks finish in another order every time; a seed must give one report. So the findings stand by engine, the worst first,
 * then by check and by what they say.
 */
function inOrder({ findings, engines }: Evidence): Finding[] {
  const words = ({ check, expected, actual, message, example }: Finding) => [check, expected, actual, message, example].join('\n');
  return [...findings].sort(
    (one, other) =>
      engines.indexOf(one.engine) - engines.indexOf(other.engine) ||
      severityOf(other) - severityOf(one) ||
      (words(one) < words(other) ? -1 : Number(words(one) > words(other))),
  );
}

function outcomeOf(
  row: Requirement,
  { failed, flaky, passed, known }: { failed: boolean; flaky: boolean; passed: boolean; known: BaselineEntry | undefined },
): Outcome {
  if ((failed || flaky) && known !== undefined) return 'known-failure';
  if (failed) return row.level === 'MUST' ? 'fail' : 'warn';
  if (flaky) return 'flaky';
  return passed ? 'pass' : 'untested';
}

function untestedReason(row: Requirement, { findings, engines, ended }: Evidence): string {
  // Where both engines could not test it, they say the same in other words.
  const [first] = findings.filter(({ outcome, message }) => outcome === 'untested' && message !== undefined);
  const said = findings.flatMap(({ engine, outcome, message }) =>
    engine === first?.engine && outcome === 'untested' && message !== undefined ? capital(sentence(message)) : [],
  );
  if (said.length > 0) return [...new Set(said)].filter((each) => !said.some((other) => other !== each && other.includes(each))).join(' ');
  if (row.unchecked !== undefined) return row.unchecked;
  if (ended) return 'The run ended before this was checked.';
  return `No check of the engines that ran covers it (${engines.join(', ') || 'none ran'}).`;
}

/** What the checks that passed rest upon. */
function basisOf(findings: readonly Finding[]): string {
  const passed = findings.flatMap(({ outcome, restsOn }) => (outcome === 'pass' && restsOn !== undefined ? [restsOn] : []));
  return [...new Set(passed)].join('; ');
}

function disagreementOf(findings: readonly Finding[]): string | undefined {
  const failing = new Set(findings.filter(({ outcome }) => outcome === 'fail').map(({ engine }) => engine));
  const passing = new Set(findings.filter(({ outcome, engine }) => outcome === 'pass' && !failing.has(engine)).map(({ engine }) => engine));
  const [red] = failing;
  const [green] = passing;
  if (red === undefined || green === undefined) return undefined;
  return red === 'laws'
    ? `Found by ${engineWords[red]} only; ${engineWords[green]} tries fewer cases and did not find it.`
    : `Found by ${engineWords[red]} only, although ${engineWords[green]} try more cases: the server may not always answer the same. The violation stands.`;
}

function checkOf(finding: Finding, { record, curl, redact }: Evidence): ReportCheck {
  const text = (value: string | undefined) => (value === undefined ? null : redact(value));
  const { engine, outcome, seed = null, given, cases, rate, durationMs, example, cause, restsOn, explains } = finding;
  // Chains of checks that passed show nothing and would make the report large.
  const chain = outcome === 'pass' ? [] : (finding.chain ?? []);
  return {
    ...{ id: finding.check, engine, outcome },
    expected: text(finding.expected),
    actual: text(finding.actual),
    message: text(finding.message),
    exchanges: record(chain),
    curl: chain.length > 0 ? curl(chain) : null,
    seed,
    path: text(finding.path),
    ...present({ given, example: example && redact(example), cause: cause && redact(cause), cases }),
    ...present({ restsOn: restsOn && redact(restsOn), explains: explains?.map(({ what, count }) => ({ what: redact(what), count })) }),
    ...present({ rate, durationMs }),
  };
}
