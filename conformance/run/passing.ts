import type { Finding } from '../finding.js';
import { type AnswerLaw, isAnswerLaw, type Law } from '../laws/index.js';
import type { Role, Subject } from '../subject/index.js';
import type { Chain, Exchange } from '../wire/exchange.js';
import { likenessOf } from './likeness.js';

/** Holds every answer that any law receives to the laws about answers. */
export interface Passing {
  watch(exchange: Exchange, role: Role, chain: Chain): void;
  /** What was found in passing, the first of each requirement. */
  findings(): Promise<Finding[]>;
}

export function watchInPassing(laws: readonly Law[], subjectOf: () => Subject): Passing {
  const watching = new Map<Role, AnswerLaw[]>();
  for (const law of laws.filter(isAnswerLaw)) for (const role of law.roles) watching.set(role, [...(watching.get(role) ?? []), law]);
  const found = new Map<string, Finding>();
  const pending = new Set<Promise<void>>();
  /** Answers that were judged before, by what the laws look at. */
  const judged = new Set<string>();
  return {
    watch(exchange, role, chain) {
      const likeness = likenessOf(exchange, role, subjectOf());
      const known = likeness !== undefined && judged.has(likeness);
      if (likeness !== undefined) judged.add(likeness);
      for (const law of watching.get(role) ?? []) {
        if (found.has(law.requirement) || (known && law.remembers !== true)) continue;
        const judging = law.inPassing(exchange, role, chain, subjectOf()).then(
          (finding) => {
            if (finding !== undefined && !found.has(law.requirement)) found.set(law.requirement, finding);
          },
          () => {},
        );
        pending.add(judging);
        void judging.finally(() => pending.delete(judging));
      }
    },
    async findings() {
      while (pending.size > 0) await Promise.all(pending);
      return [...found.values()];
    },
  };
}
