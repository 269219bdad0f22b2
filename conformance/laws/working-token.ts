import type { Token, Trial } from '../subject/index.js';

/** Sees that a fresh token works, once for each user until the clock moves, and leaves no trace of it in the chain. */
export async function proveTokens(trial: Trial, user: Token['user'] = trial.user): Promise<void> {
  const { provenUsers } = trial.subject;
  if (provenUsers.has(user)) return;
  const before = trial.chain.length;
  trial.expectServedAsControl(await trial.use(await trial.login(user)));
  trial.chain.splice(before);
  provenUsers.add(user);
}

/** A fresh token of a user whose fresh tokens are known to work. */
export async function workingToken(trial: Trial, user: Token['user'] = trial.user): Promise<Token> {
  await proveTokens(trial, user);
  return trial.login(user);
}
