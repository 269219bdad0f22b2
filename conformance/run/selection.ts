import { history } from '../history/index.js';
import { type AnswerLaw, laws as allLaws, answerLaws, type Law } from '../laws/index.js';
import { observers as allObservers, type Observer } from '../observe/index.js';
import type { RunOptions } from '../options.js';
import { selectedIds } from '../report/index.js';

/** A check and the one case of it that is repeated. */
export interface Repeated {
  readonly check: string;
  readonly path: string;
}

/** What a run is asked to judge, and what it tries for that. */
export interface Selection {
  readonly rows: ReadonlySet<string>;
  readonly withLaws: boolean;
  readonly laws: readonly Law[];
  /** How much of all laws these are. */
  readonly part: number;
  readonly answerLaws: readonly AnswerLaw[];
  readonly observers: readonly Observer[];
}

export function select(options: RunOptions, replay: readonly Repeated[] | undefined): Selection {
  const rows = new Set(selectedIds(options));
  const withLaws = options.engines.includes('laws');
  const isSelected = ({ requirement }: { readonly requirement: string }) => withLaws && rows.has(requirement);
  const isRepeated = ({ id }: Law) => replay === undefined || replay.some(({ check }) => check === id);
  const isAskedFor = ({ leastRuns = 0 }: Law) => options.runs >= leastRuns;
  const { catalogue } = options.spec;
  const judged = answerLaws.filter(isSelected);
  // What is judged of every refusal shows only where the laws of that step bring refusals about.
  const ofRefusals = judged.filter(({ roles }) => !roles.some((role) => role === 'challenge' || role === 'exchange' || role === 'use'));
  const steps = new Set(ofRefusals.map(({ requirement }) => catalogue.requirement(requirement).step));
  const isNeeded = (law: Law) => isSelected(law) || steps.has(catalogue.requirement(law.requirement).step);
  const laws = [...allLaws, history as Law].filter((law) => isNeeded(law) && isAskedFor(law) && isRepeated(law));
  return {
    rows,
    withLaws,
    laws,
    part: laws.length / allLaws.length,
    answerLaws: judged,
    observers: options.auth === 'on' ? allObservers.filter(isSelected) : [],
  };
}
