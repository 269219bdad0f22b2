import type { Subject } from './subject.js';

/** Every address of the target that is known to exist: its collections and its vocabulary. */
export function knownPaths(subject: Subject): [string, ...string[]] {
  const [first, ...more] = subject.collections;
  return [`/${first}`, ...more.map((name) => `/${name}`), subject.protocol.link.path];
}

/** Puts the collections first that refuse strangers. */
export function guardedFirst(subject: Subject, isGuarded: (path: string) => boolean): void {
  const openness = (name: string) => (isGuarded(`/${name}`) ? 0 : 1);
  const [first, ...more] = [...subject.collections].sort((one, other) => openness(one) - openness(other));
  subject.collections = [first as string, ...more];
}

/** Those of them that refuse a plain read without credentials. Of the others one law tells, and nothing more is built on them. */
export function guardedPaths(subject: Subject): [string, ...string[]] {
  const [first, ...more] = subject.facts.guardedPaths ?? [];
  return first === undefined ? [knownPaths(subject)[0]] : [first, ...more];
}
