import type { User } from '../options.js';
import { Trial } from '../subject/index.js';
import { isClockMove } from '../wire/index.js';
import type { Case } from './case.js';
import type { Combinations } from './combinations.js';
import type { Failure } from './failures.js';

/** Cases that give wrong credentials to real accounts: as many at a time as an account bears, then a login; accounts beside each other. */
export async function withWrongCredentials(combinations: Combinations): Promise<void> {
  const { subject } = combinations;
  const { facts, accounts, ableUsers } = subject;
  if (facts.challengeStatus === undefined) return;
  const left = combinations.cases.filter(({ state }) => state.moment === 'late');
  const raw: Failure[] = [];

  const trySome = async (user: User, some: readonly Case[]): Promise<Failure[]> => {
    const trials = some.map(() => new Trial(subject, undefined, user));
    const attempt = (tried: Case, index: number) => combinations.attempt(tried, (trial) => trial.login(user), trials[index]);
    const failures: (Failure | undefined)[] = [];
    if (facts.oneAtATime === undefined) failures.push(...(await Promise.all(some.map(attempt))));
    else for (const [index, tried] of some.entries()) failures.push(await attempt(tried, index));
    const last = trials.at(-1);
    const refusal = last?.chain.at(-1);
    if (last !== undefined && refusal !== undefined && !isClockMove(refusal)) await last.loginAfter(refusal, user).catch(() => undefined);
    return failures.flatMap((failure) => failure ?? []);
  };
  const lane = async () => {
    while (left.length > 0 && subject.lockedOut === undefined)
      await accounts.borrowWhole(ableUsers, async (user, most) => raw.push(...(await trySome(user, left.splice(0, most)))));
  };
  await Promise.all(ableUsers.slice(0, facts.oneAtATime === undefined ? ableUsers.length : 1).map(lane));
  await combinations.lookInto(raw, async (tried) => (await trySome(ableUsers[0] as User, [tried]))[0]);
}
