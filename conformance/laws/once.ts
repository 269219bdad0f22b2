import type { Protocol } from '../../spec/index.js';
import { truncateBody } from '../evidence/index.js';
import { bad, good } from '../expect/index.js';
import type { Role } from '../subject/index.js';
import type { Answer } from '../wire/index.js';
import { type AnswerLaw, answerLaw } from './answer-law.js';

/** A law that a value is handed out once in the whole run: whoever receives it, a second time is a violation. */
export function once(
  requirement: string,
  what: string,
  role: Role,
  read: (answer: Answer, protocol: Protocol) => string | undefined,
): AnswerLaw {
  return answerLaw(requirement, [role], (answer, { exchange, subject }) => {
    const value = read(answer, subject.protocol);
    if (value === undefined) return undefined;
    const key = `${what} ${value}`;
    const earlier = subject.firstSeen.get(key);
    if (earlier === undefined) {
      // The first of all could not be a second one.
      const isFirst = !subject.firstSeen.has(what);
      for (const each of [what, key]) subject.firstSeen.set(each, truncateBody(exchange));
      return isFirst ? undefined : good;
    }
    return { ...bad(`every ${what} is handed out once`, `the same ${what} in two answers`), chain: [earlier, truncateBody(exchange)] };
  });
}
