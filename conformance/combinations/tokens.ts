import type { Token, Trial } from '../subject/index.js';

/** The token that all cases of the run share, with the exchanges that brought it. */
export async function sharedToken(trial: Trial): Promise<Token> {
  const token = await trial.subject.sharedToken();
  trial.chain.push(...token.chain);
  return { value: token.value, user: trial.user };
}
