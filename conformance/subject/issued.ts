import { truncateBody } from '../evidence/index.js';
import type { Exchange } from '../wire/index.js';
import type { Subject } from './subject.js';

/** The first exchange that gave each token, one memory a run. */
const issues = new WeakMap<Subject, Map<string, Exchange>>();

export function noteIssue(subject: Subject, token: string, exchange: Exchange): void {
  const known = issues.get(subject) ?? new Map<string, Exchange>();
  issues.set(subject, known);
  if (!known.has(token)) known.set(token, truncateBody(exchange));
}

export function firstIssueOf(subject: Subject, token: string): Exchange | undefined {
  return issues.get(subject)?.get(token);
}
