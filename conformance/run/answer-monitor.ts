import type { Finding } from '../finding.js';
import { type AnswerLaw, isAnswerLaw, type Law } from '../laws/index.js';
import type { Role, Subject } from '../subject/index.js';
import type { Chain, Exchange } from '../wire/index.js';
import { type Like, Likeness } from './likeness.js';

/** Holds every answer that any law receives to the laws about answers. */
export interface AnswerMonitor {
  watch(exchange: Exchange, role: Role, chain: Chain): void;
  /** What was found in passing, the first of each requirement. */
  findings(): Promise<Finding[]>;
}

export function monitorAnswers(laws: readonly Law[], subjectOf: () => Subject): AnswerMonitor {
  const watching = new Map<Role, AnswerLaw[]>();
  for (const law of laws.filter(isAnswerLaw)) for (const role of law.roles) watching.set(role, [...(watching.get(role) ?? []), law]);
  const found = new Map<string, Finding>();
  const pending = new Set<Promise<void>>();
  const likeness = new Likeness();
  const note = (law: AnswerLaw, finding: Finding | undefined) => {
    if (finding !== undefined && !found.has(law.requirement)) found.set(law.requirement, finding);
  };
  const wait = (law: AnswerLaw, finding: Promise<Finding | undefined>) => {
    const judging: Promise<void> = finding.then(
      (settled) => {
        pending.delete(judging);
        note(law, settled);
      },
      () => void pending.delete(judging),
    );
    pending.add(judging);
  };
  return {
    watch(exchange, role, chain) {
      const subject = subjectOf();
      const like = likeness.of(exchange, role, subject);
      for (const law of watching.get(role) ?? []) {
        if (found.has(law.requirement) || isJudged(law, like)) continue;
        const finding = law.inPassing(exchange, role, chain, subject);
        if (finding instanceof Promise) wait(law, finding);
        else note(law, finding);
      }
    },
    async findings() {
      while (pending.size > 0) await Promise.all(pending);
      return [...found.values()];
    },
  };
}

/** Whether the law has judged an answer like this one, and would say the same again. */
function isJudged({ remembers, addressed }: AnswerLaw, like: Like): boolean {
  return remembers !== true && (addressed === true ? like === 'same' : like !== 'none');
}
