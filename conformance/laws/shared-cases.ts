import type { Subject, Trial } from '../subject/index.js';
import type { Chain, Exchange } from '../wire/index.js';
import { actions, type Case } from './roles.js';

interface Taken {
  readonly exchange: Exchange;
  readonly chain: Chain;
}

interface Memory {
  readonly sent: Map<string, Promise<Taken>>;
  /** Which check has looked at which case. */
  readonly seen: Set<string>;
}

/** One memory a run. */
const memories = new WeakMap<Subject, Memory>();

/**
 * Many laws look at the answers to the same requests, each in one respect: the request is sent once and its answer shown to all of
 * them. A check that asks again wants to see it happen again, and gets an answer of its own.
 */
export async function actOnce(check: string, trial: Trial, value: Case): Promise<Exchange> {
  const { sending, role, user } = value;
  // Functions have no text to tell them apart by.
  if (sending.nameCase !== undefined) return actions[role].act(trial, value);
  const memory = memories.get(trial.subject) ?? { sent: new Map(), seen: new Set() };
  memories.set(trial.subject, memory);
  const key = JSON.stringify([role, user, sending]);
  const look = `${check} ${key}`;
  if (memory.seen.has(look)) return actions[role].act(trial, value);
  memory.seen.add(look);
  const known = memory.sent.get(key);
  if (known !== undefined) {
    const { exchange, chain } = await known;
    trial.chain.push(...chain);
    return exchange;
  }
  const taking = actions[role].act(trial, value).then((exchange) => ({ exchange, chain: trial.chain.slice() }));
  memory.sent.set(key, taking);
  return (await taking).exchange;
}
