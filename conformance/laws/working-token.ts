import { type Token, Trial } from '../subject/index.js';

/** Sees that a fresh token works, once for each user until the clock moves, however many ask at once. It leaves no trace in their chains. */
export function proveTokens({ subject, user: own }: Trial, user: Token['user'] = own): Promise<void> {
  const { provenUsers } = subject;
  const known = provenUsers.get(user);
  if (known !== undefined) return known;
  const proof = prove(new Trial(subject), user);
  provenUsers.set(user, proof);
  proof.catch(() => provenUsers.delete(user)); // whoever comes next tries again
  return proof;
}

async function prove(trial: Trial, user: Token['user']): Promise<void> {
  trial.expectServedAsControl(await trial.use(await trial.login(user)));
}

/** A fresh token of a user whose fresh tokens are known to work. */
export async function workingToken(trial: Trial, user: Token['user'] = trial.user): Promise<Token> {
  await proveTokens(trial, user);
  return trial.login(user);
}
