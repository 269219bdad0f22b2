import { basic } from '../arbitraries/index.js';
import { tokenOf } from '../expect/index.js';
import { seeing } from '../finding.js';
import type { User } from '../options.js';
import { inWords } from '../oracle/index.js';
import { type Nonce, type Subject, Trial, Untested } from '../subject/index.js';
import { type Exchange, headerValues, isHungUp } from '../wire/index.js';

/** Whether a paraphrase can stand in a header as it is. */
export const isAscii = ({ paraphrase }: User): boolean => /^[ -~]*$/.test(paraphrase);

export const userAt = (subject: Subject, index: number): User => {
  const user = subject.ableUsers[index % Math.max(1, subject.ableUsers.length)];
  if (user === undefined) throw new Untested(subject.facts.noLogin ?? 'no user is given');
  return user;
};

export const credentialsOf = ({ protocol }: Pick<Subject, 'protocol'>, { id, paraphrase }: User) =>
  basic(protocol.challenge.scheme, id, paraphrase);

/** Wrong credentials may contain the right paraphrase, and are redacted. Those that are too short for one are shown. */
export function hide(authorization: string, { protocol, redactor }: Subject): void {
  if (authorization.length > protocol.challenge.scheme.length + 8) redactor.secret(authorization, 'wrong credentials');
}

/**
 * The request that differs in the one thing under test must be granted; otherwise a refusal proves nothing. It also keeps the counters
 * of accounts low that lock themselves.
 */
export function control(
  trial: Trial,
  refusal: Exchange,
  account: User,
  login: (control: Trial) => Promise<unknown> = (fresh) => fresh.loginAfter(refusal, account),
): Promise<void> {
  const { accounts } = trial.subject;
  return accounts.control(
    account,
    async () => void (await login(new Trial(trial.subject))),
    () => trial.spareNonceOf(refusal),
  );
}

/** Presents wrong credentials with a fresh nonce, then the right ones, unless a token was given for them. */
export async function present(trial: Trial, user: User, authorization: string, what: string, account = user): Promise<Exchange> {
  const { subject } = trial;
  const right = subject.users.find((each) => authorization === credentialsOf(subject, each));
  if (right !== undefined) throw new Untested(`these are the right credentials of user ${right.id}`);
  hide(authorization, subject);
  const once = ({ value }: Nonce) => trial.present(value, authorization, {}, 'refused-credentials');
  return subject.accounts.borrow(
    [account],
    async (_, nonce) => {
      if (subject.lockedOut !== undefined) throw new Untested(subject.lockedOut);
      if (!subject.ableUsers.includes(user))
        throw new Untested(seeing(`user ${user.id} cannot log in, so a refusal proves nothing`, ['exchange.any-user']));
      const first = await once(await nonce());
      // A server error is no refusal, so that the request is sent once more.
      const exchange = isHungUp(first) || (first.answer?.status ?? 0) >= 500 ? await once(await trial.challenge()) : first;
      if (exchange.answer !== undefined) subject.answered.add(authorization);
      if (exchange.answer !== undefined && tokenOf(exchange.answer, trial.protocol) !== undefined) return exchange;
      trial.expectRefused(exchange, what);
      await control(trial, exchange, account, (fresh) => fresh.loginAfter(exchange, user).catch(lockOut(fresh, user)));
      return exchange;
    },
    () => trial.challengeAhead(),
  );
}

/** A right login that is refused after wrong ones ends them all. */
const lockOut =
  ({ chain, protocol, subject }: Trial, user: User) =>
  (error: unknown): never => {
    const last = chain.at(-1) as Exchange;
    const isLogin = headerValues(last.request, protocol.headers.authorization).length > 0;
    if (!(error instanceof Untested) || !isLogin) throw error;
    subject.lockedOut = `user ${user.id} was refused with the right paraphrase after wrong ones (${inWords(last, protocol)}): the account seems to be locked, so no more wrong attempts were made`;
    throw new Untested(subject.lockedOut);
  };
