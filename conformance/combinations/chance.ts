import { isGranted } from '../oracle/index.js';
import { type Subject, Trial } from '../subject/index.js';
import { headerValues, isClockMove } from '../wire/index.js';
import type { Failure } from './failures.js';

/**
 * Whether a failure that did not happen again counts all the same. A grant to somebody who must be refused does. So does the refusal of a
 * valid token where tokens are honoured in a plain request.
 */
export async function countsOnce(failure: Failure, subject: Subject): Promise<boolean> {
  const { about } = failure.tried.state;
  // A connection that broke once may be anybody's fault.
  const last = failure.chain.at(-1);
  if (last !== undefined && !isClockMove(last) && last.answer === undefined) return false;
  // The source leaves open how long a nonce lives and what displaces it. Plain logins are counted by the oracle.
  if (about === 'login') return false;
  // Where tokens are numbered, a token with one character changed may be another token that was issued.
  if (about === 'unknown-token') return !sentTokens(failure, subject).some((token) => subject.oracle.tokens.has(token));
  if (about !== 'valid-token') return true;
  const shared = await subject.sharedToken().catch(() => undefined);
  return shared !== undefined && opensPlainly(shared.value, subject).catch(() => false);
}

/** Whether a token opens the first collection to a plain request, now. */
export async function opensPlainly(token: string, subject: Subject): Promise<boolean> {
  return isGranted(await new Trial(subject).use(token), subject.protocol);
}

/** The tokens that its request carried. */
export function sentTokens({ chain }: Failure, { protocol }: Subject): readonly string[] {
  const last = chain.at(-1);
  return last === undefined || isClockMove(last) ? [] : headerValues(last.request, protocol.headers.token);
}
