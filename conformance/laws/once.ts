import type { Protocol } from '../../spec/index.js';
import { truncateBodies, truncateBody } from '../evidence/index.js';
import type { Finding } from '../finding.js';
import { isMessageOf, type Role, type Subject, Violation } from '../subject/index.js';
import type { Answer, Exchange } from '../wire/index.js';
import type { AnswerLaw } from './answer-law.js';
import { law, told } from './law.js';
import { actions, type Case, caseOf } from './roles.js';

/** Remembers where each value was seen first, one memory a run. */
const memories = new WeakMap<Subject, Map<string, Exchange>>();

/** A law that a value is handed out once in the whole run: whatever law receives it, a second time is a violation. */
export function once(
  requirement: string,
  what: string,
  roles: readonly [Role],
  read: (answer: Answer, protocol: Protocol) => string | undefined,
): AnswerLaw {
  const repeated = (exchange: Exchange, subject: Subject): { value: string; earlier: Exchange } | undefined => {
    const value = exchange.answer === undefined ? undefined : read(exchange.answer, subject.protocol);
    if (value === undefined) return undefined;
    const seen = memories.get(subject) ?? new Map<string, Exchange>();
    memories.set(subject, seen);
    const key = `${what} ${value}`;
    const earlier = seen.get(key);
    if (earlier === undefined) seen.set(key, truncateBody(exchange));
    return earlier === undefined || earlier.request === exchange.request ? undefined : { value, earlier };
  };
  const expected = `every ${what} is handed out once`;
  const active = law<Case[]>(requirement, {
    given: (subject) => caseOf(roles[0], subject).map((each) => [each, each, each]),
    examples: (subject) => [actions[roles[0]].examples(subject).slice(0, 6)],
    randomCases: (runs) => Math.ceil(runs / 3),
    async judge(trial, cases, subject) {
      const seen = new Map<string, Exchange>();
      for (const value of cases) {
        const exchange = await actions[value.role].act(trial, value);
        const got = read(trial.message(exchange, value.role), subject.protocol);
        const earlier = got === undefined ? undefined : seen.get(got);
        if (earlier !== undefined) throw new Violation(expected, `the same ${what} in two answers`, [earlier, exchange]);
        if (got !== undefined) seen.set(got, exchange);
      }
    },
  });
  return {
    ...active,
    roles,
    remembers: true,
    inPassing(exchange, role, _chain, subject): Finding | undefined {
      if (role !== roles[0] || !isMessageOf(role, exchange, subject)) return undefined;
      const found = repeated(exchange, subject);
      if (found === undefined) return undefined;
      const actual = `the same ${what} in two answers`;
      return {
        requirement,
        check: `${requirement}/in-passing`,
        engine: 'laws',
        outcome: 'fail',
        expected,
        actual,
        message: told(expected, actual),
        chain: truncateBodies([found.earlier, exchange]),
      };
    },
  };
}
