import { type Subject, Trial } from '../subject/index.js';
import { headerValues, isClockMove } from '../wire/index.js';
import type { Failure } from './failures.js';

/**
 * Whether a failure that did not happen again counts all the same: a grant to a stranger counts even once, and so does the refusal of a
 * token that opens when it is used plainly.
 */
export async function countsOnce(failure: Failure, subject: Subject): Promise<boolean> {
  const { about } = failure.tried.state;
  // Lifetime and displacement of nonces are open; plain logins are counted by the ledger.
  if (about === 'login') return false;
  // A sequence of tokens makes of one that is almost another one that is.
  if (about === 'unknown-token') return !sentTokens(failure, subject).some((token) => subject.ledger.hasIssued(token));
  return about !== 'valid-token' || opensPlainly(subject);
}

async function opensPlainly(subject: Subject): Promise<boolean> {
  const token = await subject.sharedToken().catch(() => undefined);
  const plain = token === undefined ? undefined : await new Trial(subject).use(token.value).catch(() => undefined);
  return plain?.answer !== undefined && plain.answer.status <= 299;
}

function sentTokens({ chain }: Failure, { protocol }: Subject): readonly string[] {
  const last = chain.at(-1);
  return last === undefined || isClockMove(last) ? [] : headerValues(last.request, protocol.headers.token);
}
