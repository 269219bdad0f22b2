import type { Catalogue, Protocol } from '../../spec/index.js';
import type { Finding } from '../finding.js';
import type { Contradiction, Ledger } from '../ledger/index.js';
import { inWords } from '../ledger/index.js';
import { told } from './answer-monitor.js';

export interface Explaining {
  readonly catalogue: Catalogue;
  readonly protocol: Protocol;
  readonly ledger: Ledger;
  readonly selected: ReadonlySet<string>;
  /** Rows whose failure is known beforehand: they explain nothing but themselves. */
  readonly known: ReadonlySet<string>;
}

/**
 * Joins what was found into what is told. A failure that was seen only beside other requests, a history, and an answer that contradicts
 * the ledger are listed under a failure that explains them: of the same row, or of another MUST about the same asker. Where there is
 * none they are told themselves, so that nothing seen is lost.
 */
export function explainFindings(found: readonly Finding[], context: Explaining): Finding[] {
  const { catalogue, ledger, selected } = context;
  const isDoubtful = (each: Finding) => each.outcome === 'fail' && (each.beside === true || isLast(each, catalogue));
  const telling = found.filter((each) => !isDoubtful(each));
  const explained = new Explained(telling, context);
  const settled = found.filter(isDoubtful).map((each) => {
    const abouts = each.about === undefined ? catalogue.requirement(each.requirement).about : [each.about];
    const by = explained.by(each.requirement, abouts);
    if (by === undefined) return besideOthers(each, context);
    explained.add(by, `${each.check}: ${each.actual ?? each.message ?? ''}`, 1);
    return shadow(each, by);
  });
  const all = [...telling, ...settled];
  const rows = new Explained(all, context);
  const more: Finding[] = [];
  for (const [requirement, group] of groupsOf(ledger.contradictions())) {
    const [first] = group;
    if (first === undefined || !selected.has(requirement)) continue;
    const { about, what, must } = first.claim;
    const by = rows.by(requirement, [about]);
    if (by !== undefined) rows.add(by, `${what} was ${must === 'granted' ? 'refused' : 'granted'}`, group.length);
    else more.push(contradictionFinding(requirement, first, group.length, context));
  }
  const counts = new Map([...explained.counts, ...rows.counts]);
  return [...all, ...more].map((each) => withExplained(each, counts));
}

class Explained {
  readonly counts = new Map<string, { what: string; count: number }[]>();
  private readonly failed: readonly string[];

  constructor(
    findings: readonly Finding[],
    private readonly context: Explaining,
  ) {
    this.failed = [...new Set(findings.filter(({ outcome }) => outcome === 'fail').map(({ requirement }) => requirement))];
  }

  /** The failed row that explains something of a row about these askers. A warning explains no violation. */
  by(requirement: string, abouts: readonly string[]): string | undefined {
    const { catalogue, known } = this.context;
    if (this.failed.includes(requirement)) return requirement;
    return this.failed.find((id) => {
      const row = catalogue.requirement(id);
      return row.level === 'MUST' && !known.has(id) && row.about.some((each) => abouts.includes(each));
    });
  }

  add(row: string, what: string, count: number): void {
    this.counts.set(row, [...(this.counts.get(row) ?? []), { what, count }]);
  }
}

function withExplained(finding: Finding, counts: Map<string, { what: string; count: number }[]>): Finding {
  const explains = finding.outcome === 'fail' ? counts.get(finding.requirement) : undefined;
  if (explains === undefined) return finding;
  counts.delete(finding.requirement);
  return { ...finding, explains };
}

/** Rows about all askers say what other rows say too; they are told last. */
function isLast({ requirement }: Finding, catalogue: Catalogue): boolean {
  return catalogue.requirement(requirement).interleaving;
}

function besideOthers(finding: Finding, { catalogue, selected }: Explaining): Finding {
  if (finding.beside !== true) return finding;
  const interleaving = catalogue.requirements.find((row) => row.interleaving)?.id;
  const requirement = interleaving !== undefined && selected.has(interleaving) ? interleaving : finding.requirement;
  return {
    ...finding,
    requirement,
    message: `${finding.message ?? ''} It was seen beside other requests of the run, and not when it was tried alone.`,
  };
}

function shadow({ requirement, check, engine }: Finding, by: string): Finding {
  return { requirement, check, engine, outcome: 'untested', through: 'target', message: `what it saw is told by ${by}` };
}

function groupsOf(contradictions: readonly Contradiction[]): Map<string, Contradiction[]> {
  const groups = new Map<string, Contradiction[]>();
  for (const each of contradictions) groups.set(each.claim.requirement, [...(groups.get(each.claim.requirement) ?? []), each]);
  return groups;
}

function contradictionFinding(
  requirement: string,
  { claim, exchange, chain }: Contradiction,
  count: number,
  { ledger, protocol }: Explaining,
): Finding {
  const expected = `${claim.what} is ${claim.must}`;
  const actual = inWords(exchange, protocol);
  const { of } = ledger.rate(claim.about);
  return {
    requirement,
    check: `${requirement}/ledger`,
    engine: 'laws',
    outcome: 'fail',
    expected,
    actual,
    message: told(expected, actual),
    chain,
    ...(count < of ? { rate: { failed: count, of } } : {}),
  };
}
