import type { Phase } from '../laws/index.js';
import { likeAnswer } from '../laws/index.js';
import { inWords } from '../oracle/index.js';
import type { Trial } from '../subject/index.js';
import type { Exchange } from '../wire/index.js';

/** What an observer saw: the answer to the question of its row, and how it was seen. */
interface Seen {
  readonly answer: string;
  readonly evidence: string;
}

/** Answers one OPEN row of the catalogue. It never judges. */
export interface Observer {
  readonly requirement: string;
  readonly phase: Phase;
  observe(trial: Trial): Promise<Seen>;
}

export function observer(requirement: string, observe: Observer['observe'], phase: Phase = 'plain'): Observer {
  return { requirement, phase, observe };
}

/** The same for one whose logins may be refused: it has the account for itself, so that refusals do not add up to a lock. */
export function onItsAccount(each: Observer): Observer {
  return { ...each, observe: async (trial) => trial.subject.accounts.borrowWhole([trial.user], () => each.observe(trial)) };
}

/** Whether a refusal looks like the target's own challenge, or how else it looks. */
export function refusalInWords(trial: Trial, exchange: Exchange): Seen {
  const own = trial.subject.facts.challenge?.answer;
  const came = inWords(exchange, trial.protocol);
  if (exchange.answer === undefined) return { answer: came, evidence: came };
  const difference = own === undefined ? undefined : likeAnswer(exchange.answer, own, trial.protocol);
  if (difference?.ok === true) return { answer: 'the challenge of Step A', evidence: came };
  return {
    answer: came,
    evidence: difference === undefined ? came : `${came}; unlike the challenge: ${difference.actual.replaceAll('\n', ', ')}`,
  };
}
