import type { Subject, Token, Trial } from '../subject/index.js';
import type { Exchange } from '../wire/index.js';
import type { Case } from './case.js';

/** The token that all cases of the run share, with the exchanges that brought it. */
export async function sharedToken(trial: Trial): Promise<Token> {
  const token = await trial.subject.sharedToken();
  trial.chain.push(...token.chain);
  return { value: token.value, user: trial.user };
}

/** Whether a token had another age than its state says by the time it was used, so that the answer says nothing. */
export function isOfOtherAge({ state }: Case, token: Token, exchange: Exchange, subject: Subject): boolean {
  const { ledger, protocol, toleranceMs } = subject;
  const { leastMs, mostMs } = ledger.ageOf(token.value, exchange);
  if (state.about === 'valid-token') return mostMs > protocol.token.lifetimeMs - toleranceMs;
  return state.about === 'expired-token' && leastMs < protocol.token.lifetimeMs + toleranceMs;
}
