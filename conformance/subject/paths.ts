import type { Subject } from './subject.js';

/** Every address of the target that is known to exist: its collections and its vocabulary. */
export function knownPaths(subject: Subject): [string, ...string[]] {
  const [first, ...more] = subject.collections;
  return [`/${first}`, ...more.map((name) => `/${name}`), subject.protocol.link.path];
}

/** Those of them that refuse a plain read without credentials. Of the others one law tells, and nothing more is built on them. */
export function guardedPaths(subject: Subject): [string, ...string[]] {
  const [first, ...more] = subject.facts.guardedPaths ?? [];
  return first === undefined ? [knownPaths(subject)[0]] : [first, ...more];
}
