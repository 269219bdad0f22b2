import type { User } from '../options.js';
import { deferred } from '../parallel.js';
import { Trial, Untested } from '../subject/index.js';
import type { Case } from './case.js';
import { type Combinations, spread } from './combinations.js';
import type { Failure } from './failures.js';

/** For each account one that has it, and one that prepares. */
const lanes = 2;

/** Cases that give wrong credentials to real accounts: as many at a time as an account bears, then a login; accounts beside each other. */
export async function withWrongCredentials(combinations: Combinations): Promise<void> {
  const { subject } = combinations;
  const { facts, accounts, ableUsers } = subject;
  if (facts.challengeStatus === undefined) return;
  const left = spread(combinations.cases.filter(({ state }) => state.moment === 'late'));
  const raw: Failure[] = [];

  const trySome = (user: User, some: readonly Case[]): Promise<Failure[]> => {
    const trials = some.map(() => new Trial(subject, { as: user, sharesNonces: true }));
    const login = (trial: Trial) => trial.login(user);
    const prepare = async () => {
      const lent = deferred();
      const turn = async () => {
        await lent.promise;
        if (subject.lockedOut !== undefined) throw new Untested(subject.lockedOut);
      };
      return { begin: lent.resolve, attempts: some.map((tried, index) => combinations.attempt(tried, login, trials[index], turn)) };
    };
    return accounts.borrowWhole(
      [user],
      async (_, { begin, attempts }) => {
        begin();
        const failures = await Promise.all(attempts);
        await new Trial(subject, { sharesNonces: true }).loginAside(user);
        return failures.flatMap((failure) => failure ?? []);
      },
      prepare,
    );
  };
  const isAlone = facts.oneAtATime !== undefined;
  const lane = async (user: User) => {
    while (left.length > 0 && subject.lockedOut === undefined)
      raw.push(...(await trySome(user, left.splice(0, isAlone ? 1 : accounts.wrongInARow))));
  };
  const users = isAlone ? ableUsers.slice(0, 1) : Array.from({ length: lanes }, () => ableUsers).flat();
  await Promise.all(users.map(lane));
  combinations.lookLater(raw, async (tried) => (await trySome(ableUsers[0] as User, [tried]))[0]);
}
