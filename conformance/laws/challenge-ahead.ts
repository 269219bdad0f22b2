import { type Nonce, type Subject, Trial } from '../subject/index.js';
import type { Chain } from '../wire/index.js';

interface Ahead {
  readonly nonce: Nonce;
  readonly chain: Chain;
}

/** Challenges that were asked for before they are needed, one memory a run. */
const waiting = new WeakMap<Subject, Promise<Ahead | undefined>[]>();

/** Step A for a check that is one of many in a row: while it goes on, the challenge of the next one is already under way. */
export async function challengeAhead(trial: Trial): Promise<Nonce> {
  const { subject } = trial;
  if (subject.concurrency === 1) return trial.challenge();
  const ahead = waiting.get(subject) ?? [];
  waiting.set(subject, ahead);
  const ready = await ahead.shift();
  ahead.push(ask(subject));
  if (ready === undefined) return trial.challenge();
  trial.chain.push(...ready.chain);
  return ready.nonce;
}

/** What goes wrong here goes wrong again where somebody waits for it. */
async function ask(subject: Subject): Promise<Ahead | undefined> {
  const trial = new Trial(subject);
  try {
    return { nonce: await trial.challenge(), chain: trial.chain };
  } catch {
    return undefined;
  }
}
