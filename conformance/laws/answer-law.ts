import fc from 'fast-check';
import { truncateBodies } from '../evidence/index.js';
import type { Judgement } from '../expect/index.js';
import type { Finding } from '../finding.js';
import { isMessageOf, type Role, type Subject, Untested, Violation } from '../subject/index.js';
import type { Answer, Chain, Exchange, Unaddressed } from '../wire/index.js';
import { type Law, law, type Phase, told } from './law.js';
import { actions, type Case, caseOf } from './roles.js';
import { actOnce } from './shared-cases.js';

/** What is judged of an answer: it, the exchange it belongs to, and the target. */
export interface View<E> {
  readonly exchange: E;
  readonly subject: Subject;
  readonly role: Role;
}

/** Undefined when the answer has nothing to judge in this respect. */
type Judge<E> = (answer: Answer, view: View<E>) => Judgement | undefined | Promise<Judgement | undefined>;

/**
 * A law about every answer of some role. It is tried on requests of its own, and holds every answer of
 * that role which other laws receive in passing to the same judgement.
 */
export interface AnswerLaw extends Law {
  readonly roles: readonly Role[];
  /** It compares an answer with those before it, and must see every one. */
  readonly remembers?: boolean;
  /** The same answer may be right at one address and wrong at another. */
  readonly addressed?: boolean;
  /** At once where the judgement is: a run holds many answers to many laws. */
  inPassing(exchange: Exchange, role: Role, chain: Chain, subject: Subject): Finding | undefined | Promise<Finding | undefined>;
}

/** A law that looks at the answer and not at where it came from: what it says of one answer it says of every other like it. */
export function answerLaw(requirement: string, roles: readonly Role[], judge: Judge<Unaddressed>, phase: Phase = 'plain'): AnswerLaw {
  return lawOf(requirement, roles, judge, phase);
}

/** A law that also looks at the address that was asked. */
export function addressedLaw(requirement: string, roles: readonly Role[], judge: Judge<Exchange>, phase: Phase = 'plain'): AnswerLaw {
  return { ...lawOf(requirement, roles, judge, phase), addressed: true };
}

function lawOf(requirement: string, roles: readonly Role[], judge: Judge<Exchange>, phase: Phase): AnswerLaw {
  const inMode = (subject: Subject) => roles.filter((role) => (role === 'unguarded') === subject.facts.off);
  const active = law<Case>(requirement, {
    phase,
    examples: (subject) => inMode(subject).flatMap((role) => actions[role].examples(subject)),
    given: (subject) => fc.oneof(...inMode(subject).map((role) => caseOf(role, subject))),
    // What other laws receive is judged too, so that few cases of its own are enough.
    randomCases: (runs) => (phase === 'plain' ? Math.ceil(runs / 4) : 0),
    async judge(trial, value, subject) {
      const exchange = await (phase === 'plain' ? actOnce(requirement, trial, value) : actions[value.role].act(trial, value));
      const answer = trial.message(exchange, value.role);
      const judgement = await judge(answer, { exchange, subject, role: value.role });
      if (judgement === undefined) throw new Untested('the answer has nothing to look at in this respect');
      if (!judgement.ok) throw new Violation(judgement.expected, judgement.actual);
    },
  });
  return {
    ...active,
    roles,
    inPassing(exchange, role, chain, subject) {
      if (!roles.includes(role) || !isMessageOf(role, exchange, subject)) return undefined;
      const judgement = judge(exchange.answer, { exchange, subject, role });
      return judgement instanceof Promise
        ? judgement.then((settled) => findingOf(requirement, settled, chain))
        : findingOf(requirement, judgement, chain);
    },
  };
}

function findingOf(requirement: string, judgement: Judgement | undefined, chain: Chain): Finding | undefined {
  if (judgement === undefined || judgement.ok) return undefined;
  return {
    requirement,
    check: `${requirement}/in-passing`,
    engine: 'laws',
    outcome: 'fail',
    expected: judgement.expected,
    actual: judgement.actual,
    message: told(judgement.expected, judgement.actual),
    chain: truncateBodies(chain),
  };
}
