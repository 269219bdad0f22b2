import { basic } from '../arbitraries/index.js';
import { tokenOf } from '../expect/index.js';
import type { User } from '../options.js';
import { inWords } from '../oracle/index.js';
import { type Nonce, type Subject, Trial, Untested, Violation } from '../subject/index.js';
import { type Exchange, headerValues, isHungUp } from '../wire/index.js';

export const scheme = (trial: Trial) => trial.protocol.challenge.scheme;

export const userAt = (subject: Subject, index: number): User => {
  const user = subject.ableUsers[index % Math.max(1, subject.ableUsers.length)];
  if (user === undefined) throw new Untested(subject.facts.noLogin ?? 'no user is given');
  return user;
};

/** Wrong credentials may contain the right paraphrase, and are redacted. Those that are too short for one are shown. */
export function hide(authorization: string, { protocol, redactor }: Subject): void {
  if (authorization.length > protocol.challenge.scheme.length + 8) redactor.secret(authorization, 'wrong credentials');
}

/**
 * Presents wrong credentials with a fresh nonce, then the right ones. A refusal counts only where the right ones are granted, and that
 * grant keeps lockout counters low.
 */
function presentTo(account: User, trial: Trial, user: User, authorization: string, what: string): Promise<'granted' | 'refused'> {
  const { subject } = trial;
  const right = subject.users.find(({ id, paraphrase }) => authorization === basic(scheme(trial), id, paraphrase));
  if (right !== undefined) throw new Untested(`these are the right credentials of user ${right.id}`);
  hide(authorization, subject);
  return subject.accounts.borrow(
    [account],
    (_, nonce) => presentWith(nonce, account, trial, user, authorization, what),
    () => trial.challengeAhead(),
  );
}

async function presentWith(
  nonce: () => Promise<Nonce>,
  account: User,
  trial: Trial,
  user: User,
  authorization: string,
  what: string,
): Promise<'granted' | 'refused'> {
  const { subject } = trial;
  if (subject.lockedOut !== undefined) throw new Untested(subject.lockedOut);
  if (!subject.ableUsers.includes(user))
    throw new Untested(`user ${user.id} cannot log in, so a refusal proves nothing (see exchange.any-user)`);
  const once = ({ value }: Nonce) => trial.present(value, authorization, {}, 'refused-credentials');
  const first = await once(await nonce());
  // A server error is no refusal, so that the request is sent once more.
  const exchange = isHungUp(first) || (first.answer?.status ?? 0) >= 500 ? await once(await trial.challenge()) : first;
  if (exchange.answer !== undefined) subject.answered.add(authorization);
  if (exchange.answer !== undefined && tokenOf(exchange.answer, trial.protocol) !== undefined) return 'granted';
  trial.expectRefused(exchange, what);
  const login = async () => {
    const control = new Trial(subject);
    await control.loginAfter(exchange, user).catch((error: unknown) => {
      const last = control.chain.at(-1) as Exchange;
      if (!(error instanceof Untested) || !isLogin(last, control)) throw error;
      subject.lockedOut = `user ${user.id} was refused with the right paraphrase after wrong ones (${inWords(last, control.protocol)}): the account seems to be locked, so no more wrong attempts were made`;
      throw new Untested(subject.lockedOut);
    });
  };
  await subject.accounts.control(account, login, () => trial.spareNonceOf(exchange));
  return 'refused';
}

const isLogin = ({ request }: Exchange, { protocol }: Trial) => headerValues(request, protocol.headers.authorization).length > 0;

/** Presents wrong credentials of an account, and says what came. */
export const present = async (trial: Trial, user: User, authorization: string, what: string) =>
  presentTo(user, trial, user, authorization, what);

/** Expects that wrong credentials of an account are refused. */
export async function refuses(trial: Trial, user: User, authorization: string, what: string): Promise<void> {
  expectRefusal(await present(trial, user, authorization, what), trial, what);
}

/** Stands for every account that does not exist. It is borrowed like a real one, because services may count wrong attempts by client address. */
const nobody: User = { id: '', paraphrase: '' };

/** Expects that credentials of no account are refused. The control is a login of the user. */
export async function refusesNobody(trial: Trial, user: User, authorization: string, what: string): Promise<void> {
  expectRefusal(await presentTo(nobody, trial, user, authorization, what), trial, what);
}

function expectRefusal(came: 'granted' | 'refused', { chain, protocol }: Trial, what: string): void {
  if (came === 'granted')
    throw new Violation(
      `${what} is refused, with no token and no resource`,
      inWords(chain.at(-1) as Exchange, protocol),
      undefined,
      'wrong-login',
      'token',
    );
}
