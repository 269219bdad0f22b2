import type { Subject } from '../subject/index.js';
import { advance, ask, logIn, present, presentWithoutNonce, type Step, use } from './commands.js';

/** Histories that are always tried: orders in which what one step leaves behind has been known to change another. */
export function exampleHistories(subject: Subject): Step[][] {
  const path = `/${subject.collections[0]}`;
  const last = Math.max(0, subject.ableUsers.length - 1);
  const of = (part: number) => advance(Math.round(subject.protocol.token.lifetimeMs * part));
  const beside = [
    logIn(0),
    logIn(last),
    ask,
    use(1, path),
    use(0, path),
    presentWithoutNonce(last),
    present(0, 0),
    use(0, path),
    use(1, path),
  ];
  if (!subject.clock.canMove || !subject.clock.isInstant) return [beside];
  return [
    beside,
    [logIn(0), of(8 / 9), logIn(0), logIn(last), of(1 / 3), use(0, path), use(1, path), use(2, path), use(0, path)],
    [logIn(0), of(1.1), use(0, path), presentWithoutNonce(0), logIn(last), use(0, path), use(1, path), presentWithoutNonce(last)],
  ];
}
